import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type {
  EvaluationPlan,
  EvaluationRequest,
  InlineSources,
} from '../../../../src-shared/domain/evaluation.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { onlyModelOf, providers } from '../../../../src-shared/domain/provider.ts';
import { evaluationShape } from '../../../services/reports/subjects/evaluationShape.ts';
import { readToolsFile } from '../../../services/servers/toolsFile.ts';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError, mostSevere } from '../exitCodes.ts';
import { storeInput, readInput, type StoredInput } from '../input/files.ts';
import { didYouMean } from '../input/nearest.ts';
import { oneOf, webAddress, wholeNumber } from '../input/optionValues.ts';
import { counted } from '../output/output.ts';
import { firstLines, rejectPlanErrors } from '../output/planProblems.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import {
  addReportOptions,
  plannedReports,
  reportTexts,
  writeReports,
  type ReportOptions,
} from '../output/reportFiles.ts';
import type { Client } from '../session.ts';
import {
  addModelOptions,
  addOrderOptions,
  estimateShape,
  estimateText,
  readModelOptions,
  readOrderOptions,
  type ModelOptions,
  type OrderOptions,
} from '../input/modelOptions.ts';
import { modelsShape, modelsText, readModelNumbers } from '../output/modelShapes.ts';
import { openSession, openTemporarySession } from '../session.ts';
import { evaluationText } from '../output/shapes.ts';
import { describeToolChanges } from '../output/toolChanges.ts';
import { watchUntilEnded } from '../watch.ts';
import { checkAppended } from '../output/writeOutput.ts';
import { judgeThresholds, readThreshold, type Threshold } from '../input/thresholds.ts';

interface EvalOptions extends ModelOptions, OrderOptions, ReportOptions {
  suite: string;
  tools?: string;
  server?: string[];
  provider: string;
  model?: string[];
  estimate?: boolean;
  count?: boolean;
  repetitions?: string;
  concurrency?: string;
  record?: string;
  replay?: string;
  min?: string[];
  max?: string[];
  allowFailed?: string;
  topK?: string;
  retriever?: string;
  verbose?: boolean;
}

const topKNumber = { minValue: 1, maxValue: 10_000 };

export function addEval(evaluate: Command, io: CommandIo): void {
  evaluate
    .requiredOption(
      '--suite <name|file>',
      'a suite of the workspace, or a suite file (- reads standard input)',
    )
    .option('--tools <file>', 'offer the tools of this file; no server is started')
    .option('--server <name...>', 'offer the tools of these servers to every case')
    .requiredOption('--provider <provider>', providers.join(', '))
    .option('--model <model...>', 'model of the provider, or several')
    .option('--repetitions <n>', 'how often each case is put', '1')
    .option('--concurrency <n>', 'how many at a time', '8')
    .option('--estimate', 'say what would be sent and what it would cost, and start nothing')
    .option('--count', 'with --estimate: let the provider count what would go in')
    .option('--top-k <k>', 'show the model only the best k tools for each case')
    .option('--retriever <name>', 'what ranks them: default, bm25, tfidf or hybrid')
    .option('--record <file>', 'append every exchange to this file')
    .option('--replay <file>', 'answer from this file instead of asking a model')
    .option('--min <metric=x...>', 'end with 1 where a metric is lower')
    .option('--max <metric=x...>', 'end with 1 where a metric is higher')
    .option('--allow-failed <n>', 'up to so many runs may fail without ending with 3', '0')
    .option('--verbose', 'every warning, however many are alike');
  addReportOptions(addOrderOptions(addModelOptions(evaluate)), formatsBySubject.evaluation)
    .addHelpText(
      'after',
      '\nExample:\n  touchstone eval --suite todo-sample --provider builtin --min ' +
        'selection_f1.low=0.5 --json',
    )
    .action(async (options: EvalOptions, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const thresholds = [
        ...(options.min ?? []).map((text) => readThreshold(text, 'min')),
        ...(options.max ?? []).map((text) => readThreshold(text, 'max')),
      ];
      const allowFailed = wholeNumber(options.allowFailed, '--allow-failed') ?? 0;
      checkOptions(options);
      const reports = await plannedReports(options, io);
      if (options.record !== undefined) await checkAppended(options.record);
      wholeNumber(options.topK, '--top-k', topKNumber);
      const inline = await readInline(options, io);
      const recording = options.replay === undefined ? null : await storeInput(options.replay, io);
      const session = await (
        inline.suite && inline.tools ? openTemporarySession(io) : openSession(context, 'write')
      ).catch(async (error: unknown) => {
        await recording?.remove();
        throw error;
      });
      try {
        const request = toRequest(
          options,
          inline,
          await suiteIdOf(session.client, options.suite, inline),
          thresholds,
          recording,
        );
        await rejectUnregisteredServer(session.client, options);
        const plan = await session.client.evaluations.plan(request);
        if (options.estimate === true) {
          const listed = await listNewServers(session.client, request, plan);
          const known =
            options.count === true ? await session.client.evaluations.countPlan(request) : listed;
          output.answer(estimateShape(known), () => estimateText(known));
          return;
        }
        rejectPlanErrors(plan, options.suite, options.verbose ?? false);
        if (recording && options.provider !== 'replay')
          output.note(
            `The answers come from ${options.replay ?? ''}; ${options.provider} is not asked.`,
          );
        for (const line of firstLines(
          plan.problems.map(({ message }) => `warning: ${message}`),
          options.verbose ?? false,
        ))
          output.note(line);
        const started = await session.client.evaluations.start(request);
        await watchUntilEnded(
          session.client,
          started.id,
          plan.runs,
          output,
          options.verbose ?? false,
        );
        for (const line of await describeToolChanges(session.client, started.id)) output.note(line);
        const evaluation = await session.client.evaluations.get({ id: started.id });
        const summary = await session.client.evaluations.summary({ id: started.id });
        const document = evaluationShape(evaluation, summary);
        const models = await readModelNumbers(session.client, evaluation);
        output.answer(
          { ...document, ...(models.models.length > 0 && modelsShape(models)) },
          () => evaluationText(evaluation, summary) + modelsText(models),
        );
        const judged = judgeThresholds(summary, thresholds);
        for (const text of [...judged.failed, ...judged.notDecided]) output.error(text);
        io.setExitCode(
          mostSevere([
            summary.counts.failed > allowFailed ||
            summary.counts.open > 0 ||
            judged.notDecided.length > 0
              ? exitCodes.incomplete
              : exitCodes.pass,
            judged.failed.length > 0 ? exitCodes.gateFailed : exitCodes.pass,
          ]),
        );
        await writeReports(
          (format) =>
            reportTexts(session.client, { id: started.id, stamp: options.stamp ?? null, format }),
          reports,
          context,
        );
      } finally {
        await session.close();
        await recording?.remove();
      }
    });
}

/** Checks the options before any file or workspace is opened. */
function checkOptions(options: EvalOptions): void {
  oneOf(options.provider, '--provider', providers);
  webAddress(options.baseUrl, '--base-url');
  wholeNumber(options.repetitions, '--repetitions', evaluationSettings.shape.repetitions.unwrap());
  wholeNumber(options.concurrency, '--concurrency', evaluationSettings.shape.concurrency.unwrap());
  if (options.provider === 'replay' && options.replay === undefined)
    throw new UsageError(
      '--provider replay: It answers from a recording, and none is named. Give --replay FILE.',
    );
  if (options.count === true && options.estimate !== true)
    throw new UsageError(
      'eval: --count belongs to --estimate: an evaluation that runs is told its tokens by ' +
        'the provider. Give both, or neither.',
    );
  if (options.record !== undefined && options.replay !== undefined)
    throw new UsageError(
      'eval: --record and --replay exclude each other: what is replayed is recorded already. ' +
        'Choose one.',
    );
  const { maxLength } = modelConfiguration.shape.model;
  const invalidName = options.model?.find(
    (name) => name === '' || name.length > (maxLength ?? Infinity),
  );
  if (invalidName !== undefined)
    throw new UsageError(
      `--model ${invalidName.slice(0, 20)}: It needs a name of 1 to ${maxLength} characters.`,
    );
  if ([options.suite, options.tools, options.replay].filter((file) => file === '-').length > 1)
    throw new UsageError(
      'eval: Standard input can be read for one option only. Put the others into files.',
    );
  for (const option of ['suite', 'tools', 'record', 'replay'] as const)
    if (options[option] === '')
      throw new UsageError(`--${option}: The name is empty. Name a file.`);
}

/** Reports a server that is not registered before all errors that follow from it. */
async function rejectUnregisteredServer(client: Client, options: EvalOptions): Promise<void> {
  if (!options.server || options.tools !== undefined) return;
  const names = (await client.servers.list()).map(({ name }) => name);
  const unknown = options.server.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `--server ${unknown}: No server of this name is registered.${didYouMean(unknown, names)} ` +
      `\`touchstone servers list\` shows them, \`touchstone servers add\` registers one.`,
  );
}

/**
 * A name with a slash is a file if that file exists: `<(command)` works, and a suite may be named
 * a/b.
 */
const looksLikeFile = (text: string) =>
  text === '-' || /\.(ya?ml|json)$/i.test(text) || (text.includes('/') && existsSync(text));

export async function readInline(
  options: Pick<EvalOptions, 'suite' | 'tools' | 'server'>,
  io: CommandIo,
): Promise<InlineSources> {
  const inline: InlineSources = {};
  if (options.tools !== undefined) {
    if (options.server)
      throw new UsageError('eval: --tools and --server exclude each other. Choose one.');
    const { tools, rejected } = readToolsFile(await readInput(options.tools, io), options.tools);
    if (rejected.length > 0) {
      throw new UsageError(
        `${options.tools}: ${counted(rejected.length, 'tool')} can't be offered, the first ` +
          `is ${rejected[0]?.name ?? ''}: ${rejected[0]?.reason ?? ''} Mend the file.`,
      );
    }
    inline.tools = tools;
  }
  if (looksLikeFile(options.suite)) {
    const { file, problems } = readSuiteFile(await readInput(options.suite, io));
    const [first] = problems;
    if (!file)
      throw new UsageError(
        `${options.suite}:${first?.line ?? 1}:${first?.column ?? 1}: ` +
          `${first?.message ?? 'It is no suite.'}${problems.length > 1 ? ` (and ${counted(problems.length - 1, 'more problem')}: touchstone suite validate ` + `${options.suite})` : ''}`,
      );
    inline.suite = file;
  }
  return inline;
}

export async function suiteIdOf(
  client: Client,
  name: string,
  inline: InlineSources,
): Promise<string | null> {
  if (inline.suite) return null;
  const all = await client.suites.list();
  const suite = all.find((each) => each.name === name || each.id === name);
  if (!suite)
    throw new UsageError(
      `Suite ${name}: The workspace has none of this name.${didYouMean(
        name,
        all.map((each) => each.name),
      )} \`touchstone suite list\` shows them; a file ends in .yaml or .json.`,
    );
  return suite.id;
}

function toRequest(
  options: EvalOptions,
  inline: InlineSources,
  suiteId: string | null,
  thresholds: readonly Threshold[],
  recording: StoredInput | null,
): EvaluationRequest {
  if (options.retriever !== undefined && options.topK === undefined)
    throw new UsageError('eval: --retriever ranks the tools of --top-k. Give --top-k K.');
  const provider = recording ? 'replay' : oneOf(options.provider, '--provider', providers);
  const onlyModel = onlyModelOf(oneOf(options.provider, '--provider', providers));
  const models = options.model ?? (onlyModel === null ? [] : [onlyModel]);
  if (models.length === 0)
    throw new UsageError(
      `--provider ${options.provider}: It needs a model. Give --model ` +
        `NAME${recording ? ', the name that was recorded' : ''}.`,
    );
  const read = evaluationSettings.safeParse({
    suiteId,
    servers: options.server ?? null,
    models: models.map((model) => ({
      provider,
      model,
      ...readModelOptions(options),
      replayFile: recording?.path ?? null,
    })),
    ...readOrderOptions(options),
    repetitions: wholeNumber(options.repetitions, '--repetitions'),
    concurrency: wholeNumber(options.concurrency, '--concurrency'),
    // A running window that does the work has another working folder.
    recordFile: options.record === undefined ? null : resolve(options.record),
    gates: thresholds,
    topK: wholeNumber(options.topK, '--top-k', topKNumber) ?? null,
    retriever: options.retriever,
  });
  const [issue] = read.error?.issues ?? [];
  if (!read.success)
    throw new UsageError(
      `eval: ${String(issue?.path.at(-1) ?? 'The options')}: ` +
        `${issue?.message ?? 'They do not fit together.'}`,
    );
  const settings = read.data;
  return inline.suite || inline.tools ? { ...settings, inline } : settings;
}

/** Plans use the last tool listing, so servers that were never listed are asked first. */
async function listNewServers(
  client: Client,
  request: EvaluationRequest,
  plan: EvaluationPlan,
): Promise<EvaluationPlan> {
  if (!plan.models.some(({ tools }) => tools === null)) return plan;
  for (const { id, name, toolCount } of await client.servers.list()) {
    if (toolCount === null && plan.servers.includes(name))
      await client.servers.refreshTools({ id });
  }
  return client.evaluations.plan(request);
}
