import {
  NOT_DEFINED,
  formatCount,
  formatInterval,
  formatPoints,
  formatRate,
} from '../../../../src-shared/display/numbers.ts';
import { z } from 'zod';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { providers } from '../../../../src-shared/domain/provider.ts';
import { clientNames } from '../../../../src-shared/display/clientTexts.ts';
import { answerText } from '../../../../src-shared/display/comparisonAnswer.ts';
import {
  frontierRequest,
  type Frontier,
  type FrontierPoint,
} from '../../../../src-shared/domain/tokenReport.ts';
import { offlineRetrieverIds } from '../../../services/retrieval/offlineRetrieverIds.ts';
import { define, inSession } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import { onInterrupt } from '../signals.ts';
import { watchUntilEnded } from '../watch.ts';
import { readInlineSources, suiteIdOf } from '../input/evaluationSource.ts';
import { clientFlag } from '../input/evalOptions.ts';
import { externalRetrieverFlags, readRetrievers } from '../input/externalRetrievers.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import { additionFlags, modelFlags, readModelOptions } from '../input/modelOptions.ts';
import { readBy, webAddress } from '../input/optionValues.ts';
import { readEncoding } from './tokens.ts';

const { repetitions, concurrency } = frontierRequest.shape;

export const frontier = define({
  flags: [
    {
      '--suite <name|file>': {
        about: 'a suite of the workspace, or a suite file',
        required: true,
      },
      '--tools <file>': 'offer the tools of this file; no server is started',
      '--server <name...>': 'offer the tools of these servers to every case',
      '--provider <provider>': {
        about: providers.join(', '),
        required: true,
        of: z.enum(providers),
      },
      '--model <model>': 'model of the provider (TOUCHSTONE_MODEL)',
      '--k <list>': {
        about: 'how many tools, separated by commas; all = every one',
        default: '1,2,4,8,16,all',
      },
      '--retriever <list>': {
        about:
          'what ranks the tools, separated by commas: default, bm25, tfidf, hybrid, embedding, mcp',
        default: 'default',
        words: offlineRetrieverIds,
      },
      ...externalRetrieverFlags,
      ...clientFlag,
      '--repetitions <n>': {
        about: 'how many times each case runs',
        default: '1',
        of: repetitions,
      },
      '--concurrency <n>': { about: 'how many at a time', default: '8', of: concurrency },
      '--allow-failed <n>': {
        about: 'number of runs that may fail without exit code 3',
        default: '0',
        of: z.int().min(0),
      },
    },
    modelFlags,
    additionFlags('embedding'),
  ],
  example:
    'frontier --suite todo-sample --provider builtin --k ' + '1,2,4,all --retriever default,bm25',
  async run({ options, ...context }) {
    const { io, output } = context;
    const ks = readKs(options.k);
    const { provider, suite } = options;
    webAddress(options.baseUrl, '--base-url');
    const environment = new ModelEnvironment(io);
    const named = options.model === undefined ? undefined : [options.model];
    const [name = ''] = environment.modelsOf(provider, named, options);
    const completed = environment.complete(provider, readModelOptions(options));
    environment.note(output);
    const configuration = { provider, model: name, ...completed };
    const model = readBy(modelConfiguration, configuration, 'frontier', 'The model can’t be used.');
    const inline = await readInlineSources(options, io);
    const access = inline.suite && inline.tools ? 'temporary' : 'write';
    await inSession(context, access, async ({ client }) => {
      await environment.checkAddress(client);
      const started = await client.tokens.startFrontier({
        suiteId: await suiteIdOf(client, suite, inline),
        servers: options.server ?? null,
        model,
        ks,
        retrievers: await readRetrievers(
          options.retriever
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
          options,
          async () => (await client.settings.get()).externalRetrievers,
        ),
        repetitions: options.repetitions,
        concurrency: options.concurrency,
        encoding: readEncoding(context),
        client: options.client === 'generic' ? undefined : options.client,
        ...(inline.suite || inline.tools ? { inline } : {}),
      });
      const done = onInterrupt(() => {
        for (const { evaluationId: id } of started.points)
          void client.evaluations.cancel({ id }).catch(() => undefined);
      });
      try {
        for (const { evaluationId, runs } of started.points)
          await watchUntilEnded(client, { id: evaluationId, runs }, output);
      } finally {
        done();
      }
      const ended = await client.tokens.frontier({ id: started.id });
      output.answer(shape(ended), () => text(ended));
      const failed = ended.points.reduce(
        (sum, point) => sum + point.failed + (point.runs - point.done),
        0,
      );
      if (failed > options.allowFailed) io.setExitCode(exitCodes.incomplete);
    });
  },
});

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

function shape({ suiteName, encoding, client, points, answers }: Frontier) {
  return {
    suite: suiteName,
    encoding,
    client,
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

function text({ suiteName, encoding, client, points, answers }: Frontier): string {
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
    `${suiteName} · ${client === null ? '' : `as ${clientNames[client]} shows tools · `}` +
      `tokens of the shown tools, mean over cases (${encoding})`,
    table([['k', 'retriever', 'tokens', 'accuracy', 'F1', 'vs. all tools', ''], ...rows]),
    '',
    ...answers.map(({ retriever, sentence }) => `${retriever}: ${sentence}`),
  ].join('\n');
}
