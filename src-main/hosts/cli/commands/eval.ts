import type { Command } from 'commander';
import type { EvaluationRequest } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationPlan } from '../../../../src-shared/domain/evaluationPlan.ts';
import { evaluationShape } from '../../../services/reports/subjects/evaluationShape.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, mostSevere } from '../exitCodes.ts';
import {
  addEvalOptions,
  checkEvalOptions,
  readThresholds,
  toEvaluationRequest,
  type EvalOptions,
} from '../input/evalOptions.ts';
import {
  readInlineSources,
  rejectUnregisteredServer,
  suiteIdOf,
} from '../input/evaluationSource.ts';
import { storeInput } from '../input/files.ts';
import { estimateShape, estimateText } from '../input/modelOptions.ts';
import { wholeNumber } from '../input/optionValues.ts';
import { judgeThresholds, type Threshold } from '../input/thresholds.ts';
import { modelsShape, modelsText, readModelNumbers } from '../output/modelShapes.ts';
import { firstLines, rejectPlanErrors } from '../output/planProblems.ts';
import { plannedReports, reportTexts, writeReports } from '../output/reportFiles.ts';
import { evaluationText } from '../output/shapes.ts';
import { describeToolChanges } from '../output/toolChanges.ts';
import { checkAppended } from '../output/writeOutput.ts';
import { openSession, openTemporarySession, type Client } from '../session.ts';
import { watchUntilEnded } from '../watch.ts';

export function addEval(evaluate: Command, io: CommandIo): void {
  addEvalOptions(evaluate)
    .addHelpText(
      'after',
      '\nExample:\n  touchstone eval --suite todo-sample --provider builtin --min ' +
        'pass_rate.low=0.5 --json',
    )
    .action(async (options: EvalOptions, command: Command) => {
      await runEval(options, contextOf(command, io));
    });
}

/** Everything that can be wrong with options and files is checked before anything is started. */
async function runEval(options: EvalOptions, context: CommandContext): Promise<void> {
  const { io } = context;
  const thresholds = readThresholds(options);
  const allowFailed = wholeNumber(options.allowFailed, '--allow-failed') ?? 0;
  checkEvalOptions(options);
  const reports = await plannedReports(options, io);
  if (options.record !== undefined) await checkAppended(options.record);
  const inline = await readInlineSources(options, io);
  const recording = options.replay === undefined ? null : await storeInput(options.replay, io);
  // What works on files alone opens no workspace, so nothing of it can be found again.
  const isKept = !inline.suite || !inline.tools;
  const session = await (
    isKept ? openSession(context, 'write') : openTemporarySession(context)
  ).catch(async (error: unknown) => {
    await recording?.remove();
    throw error;
  });
  try {
    const { client } = session;
    const suiteId = await suiteIdOf(client, options.suite, inline);
    const request = toEvaluationRequest(options, inline, suiteId, thresholds, recording);
    await rejectUnregisteredServer(client, options);
    const plan = await client.evaluations.plan(request);
    if (options.estimate === true) {
      await printEstimate(client, request, plan, options, context);
      return;
    }
    const id = await evaluate(client, request, plan, options, context);
    await printResult(client, id, isKept, { thresholds, allowFailed }, context);
    await writeReports(
      (format) => reportTexts(client, { id, stamp: options.stamp ?? null, format }),
      reports,
      context,
    );
  } finally {
    await session.close();
    await recording?.remove();
  }
}

async function printEstimate(
  client: Client,
  request: EvaluationRequest,
  plan: EvaluationPlan,
  options: EvalOptions,
  { output }: CommandContext,
): Promise<void> {
  const listed = await listNewServers(client, request, plan);
  const known = options.count === true ? await client.evaluations.countPlan(request) : listed;
  output.answer(estimateShape(known), () => estimateText(known));
}

/** Runs the evaluation to its end and returns its id. */
async function evaluate(
  client: Client,
  request: EvaluationRequest,
  plan: EvaluationPlan,
  options: EvalOptions,
  { output }: CommandContext,
): Promise<string> {
  const verbose = options.verbose ?? false;
  rejectPlanErrors(plan, options.suite, verbose);
  if (options.replay !== undefined && options.provider !== 'replay')
    output.note(`The answers come from ${options.replay}; ${options.provider} is not asked.`);
  const warnings = plan.problems.map(({ message }) => `warning: ${message}`);
  for (const line of firstLines(warnings, verbose)) output.note(line);
  const { id } = await client.evaluations.start(request);
  await watchUntilEnded(client, id, plan.runs, output, verbose);
  for (const line of await describeToolChanges(client, id)) output.note(line);
  return id;
}

async function printResult(
  client: Client,
  id: string,
  isKept: boolean,
  gates: { thresholds: readonly Threshold[]; allowFailed: number },
  { io, output }: CommandContext,
): Promise<void> {
  const evaluation = await client.evaluations.get({ id });
  const summary = await client.evaluations.summary({ id });
  const verdict = await client.results.verdict({ id });
  const document = {
    ...evaluationShape(evaluation, summary, verdict),
    ...(isKept ? {} : { evaluation_id: null, number: null }),
  };
  const models = await readModelNumbers(client, evaluation);
  output.answer(
    { ...document, ...(models.models.length > 0 && modelsShape(models)) },
    () => evaluationText(evaluation, summary, verdict, isKept) + modelsText(models),
  );
  if (!isKept)
    output.note(
      'This evaluation ran on files and was not saved in a workspace. Use --report FILE to keep its results.',
    );
  const judged = judgeThresholds(summary, gates.thresholds);
  for (const text of [...judged.failed, ...judged.notDecided]) output.error(text);
  const isIncomplete =
    summary.counts.failed > gates.allowFailed ||
    summary.counts.open > 0 ||
    judged.notDecided.length > 0;
  io.setExitCode(
    mostSevere([
      isIncomplete ? exitCodes.incomplete : exitCodes.pass,
      judged.failed.length > 0 ? exitCodes.gateFailed : exitCodes.pass,
    ]),
  );
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
