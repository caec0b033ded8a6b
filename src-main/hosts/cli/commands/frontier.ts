import {
  NOT_DEFINED,
  formatCount,
  formatInterval,
  formatPoints,
  formatRate,
} from '../../../../src-shared/display/numbers.ts';
import type { Command } from 'commander';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { providers } from '../../../../src-shared/domain/provider.ts';
import { answerText } from '../../../../src-shared/display/comparisonAnswer.ts';
import type { Frontier, FrontierPoint } from '../../../../src-shared/domain/tokenReport.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import { openSession, openTemporarySession } from '../session.ts';
import { onInterrupt } from '../signals.ts';
import { watchUntilEnded } from '../watch.ts';
import { readInlineSources, suiteIdOf, type EvaluationSource } from '../input/evaluationSource.ts';
import { readRetrievers, type ExternalRetrieverOptions } from '../input/externalRetrievers.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import {
  addAdditionOptions,
  addModelOptions,
  readModelOptions,
  type ModelOptions,
} from '../input/modelOptions.ts';
import { oneOf, webAddress, wholeNumber } from '../input/optionValues.ts';

import { readEncoding } from './tokens.ts';

interface FrontierOptions extends EvaluationSource, ExternalRetrieverOptions, ModelOptions {
  provider: string;
  model?: string;
  k: string;
  retriever: string;
  repetitions: string;
  concurrency: string;
  allowFailed: string;
}

export function addFrontier(declared: Command, io: CommandIo): void {
  const frontier = declared
    .requiredOption('--suite <name|file>', 'a suite of the workspace, or a suite file')
    .option('--tools <file>', 'offer the tools of this file; no server is started')
    .option('--server <name...>', 'offer the tools of these servers to every case')
    .requiredOption('--provider <provider>', providers.join(', '))
    .option('--model <model>', 'model of the provider (TOUCHSTONE_MODEL)')
    .option('--k <list>', 'how many tools, separated by commas; all = every one', '1,2,4,8,16,all')
    .option(
      '--retriever <list>',
      'what ranks the tools, separated by commas: default, bm25, tfidf, hybrid, embedding, mcp',
      'default',
    )
    .option(
      '--embedding-model <model>',
      'embedding: its model, or the path of a folder with an ONNX encoder (default: as set up on the retrieval page)',
    )
    .option(
      '--embedding-url <url>',
      'embedding: address of a compatible endpoint; left out: OpenAI',
    )
    .option(
      '--search-server <name>',
      'mcp: a registered server whose own tool searches (default: as set up on the retrieval page)',
    )
    .option('--search-tool <name>', 'mcp: the tool that searches')
    .option('--argument <name>', 'mcp: its argument that takes the query', 'query')
    .option('--with <json>', 'mcp: further arguments of every call')
    .option('--items <path>', 'mcp: path to the results in the answer, such as result.tools', '')
    .option(
      '--id <template>',
      'mcp: template of the tool ID of a result, such as {server}:{name}',
      '{tool_id}',
    )
    .option('--repetitions <n>', 'how many times each case runs', '1')
    .option('--concurrency <n>', 'how many at a time', '8')
    .option('--allow-failed <n>', 'number of runs that may fail without exit code 3', '0');
  addAdditionOptions(addModelOptions(frontier), 'embedding')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone frontier --suite todo-sample --provider builtin --k ' +
        '1,2,4,all --retriever default,bm25',
    )
    .action(async (options: FrontierOptions, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const ks = readKs(options.k);
      const allowFailed = wholeNumber(options.allowFailed, '--allow-failed') ?? 0;
      const provider = oneOf(options.provider, '--provider', providers);
      webAddress(options.baseUrl, '--base-url');
      const environment = new ModelEnvironment(io);
      const [name = ''] = environment.modelsOf(
        provider,
        options.model === undefined ? undefined : [options.model],
      );
      const model = modelConfiguration.safeParse({
        provider,
        model: name,
        ...environment.complete(provider, readModelOptions(options)),
      });
      environment.note(output);
      if (!model.success)
        throw new UsageError(
          `frontier: ${model.error.issues[0]?.path.join('.') ?? ''}: ` +
            (model.error.issues[0]?.message ?? 'The model can’t be used.'),
        );
      const encoding = readEncoding(command);
      const inline = await readInlineSources(options, io);
      const session =
        inline.suite && inline.tools
          ? await openTemporarySession(context)
          : await openSession(context, 'write');
      try {
        await environment.checkAddress(session.client);
        const started = await session.client.tokens.startFrontier({
          suiteId: await suiteIdOf(session.client, options.suite, inline),
          servers: options.server ?? null,
          model: model.data,
          ks,
          retrievers: await readRetrievers(
            options.retriever
              .split(',')
              .map((name) => name.trim())
              .filter((name) => name !== ''),
            options,
            async () => (await session.client.settings.get()).externalRetrievers,
          ),
          repetitions: wholeNumber(options.repetitions, '--repetitions', {
            minValue: 1,
            maxValue: 20,
          }),
          concurrency: wholeNumber(options.concurrency, '--concurrency', {
            minValue: 1,
            maxValue: 256,
          }),
          encoding,
          ...(inline.suite || inline.tools ? { inline } : {}),
        });
        const done = onInterrupt(() => {
          for (const { evaluationId: id } of started.points)
            void session.client.evaluations.cancel({ id }).catch(() => undefined);
        });
        try {
          for (const { evaluationId, runs } of started.points)
            await watchUntilEnded(session.client, { id: evaluationId, runs }, output);
        } finally {
          done();
        }
        const frontier = await session.client.tokens.frontier({ id: started.id });
        output.answer(shape(frontier), () => text(frontier));
        const failed = frontier.points.reduce(
          (sum, point) => sum + point.failed + (point.runs - point.done),
          0,
        );
        if (failed > allowFailed) io.setExitCode(exitCodes.incomplete);
      } finally {
        await session.close();
      }
    });
}

function readKs(list: string): (number | null)[] {
  return list.split(',').map((part) => {
    const word = part.trim();
    if (word === 'all') return null;
    const k = Number(word);
    if (!/^\d+$/.test(word) || k < 1 || k > 10_000)
      throw new UsageError(
        `--k ${list}: "${word}" isn't a number of tools. Give whole numbers from 1 and "all", ` +
          'separated by commas.',
      );
    return k;
  });
}

function shape({ suiteName, encoding, points, answers }: Frontier) {
  return {
    suite: suiteName,
    encoding,
    points: points.map(
      ({ retriever, k, evaluationNumber, tokens, accuracy, selectionF1, failed, difference }) => ({
        k: k ?? 'all',
        retriever: k === null ? null : retriever,
        evaluation: evaluationNumber,
        tokens,
        accuracy,
        selection_f1: selectionF1,
        failed,
        difference: difference && {
          value: difference.value,
          low: difference.low,
          high: difference.high,
          n: difference.n,
          p_value: difference.pValue,
          adjusted_p: difference.adjustedP,
          answer: difference.answer,
        },
      }),
    ),
    answers,
  };
}

const rate = ({ value, low, high, n }: FrontierPoint['accuracy']): string =>
  value === null
    ? NOT_DEFINED
    : [formatRate(value), formatInterval(low, high), `n ${n}`]
        .filter((part) => part !== '')
        .join(' ');

function text({ suiteName, encoding, points, answers }: Frontier): string {
  const rows = points.map(({ retriever, k, tokens, accuracy, selectionF1, failed, difference }) => [
    k === null ? 'all' : String(k),
    k === null ? '–' : retriever,
    formatCount(tokens),
    rate(accuracy),
    rate(selectionF1),
    difference === null
      ? NOT_DEFINED
      : `${formatPoints(difference.value)} [${formatPoints(difference.low)} to ` +
        `${formatPoints(difference.high)}], ${answerText({ answer: difference.answer, difference })}`,
    failed === 0 ? '' : `${failed} not scored`,
  ]);
  return [
    `${suiteName} · tokens of the shown tools, mean over cases (${encoding})`,
    table([['k', 'retriever', 'tokens', 'accuracy', 'F1', 'vs. all tools', ''], ...rows]),
    '',
    ...answers.map(({ retriever, sentence }) => `${retriever}: ${sentence}`),
  ].join('\n');
}
