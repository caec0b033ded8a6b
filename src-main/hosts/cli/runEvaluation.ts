import {
  judgementDocument,
  unscoredDocument,
} from '../../services/reports/documents/judgementDocument.ts';
import { sentToolsOfModelDocument } from '../../services/reports/documents/sentToolsDocument.ts';
import { publish } from '../../services/reports/documents/published.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { isWorthShowing } from '../../../src-shared/display/judgementTexts.ts';
import type { Evaluation, EvaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationPlan } from '../../../src-shared/domain/evaluationPlan.ts';
import type { Judgement } from '../../../src-shared/domain/judgement.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { refusedLines } from '../../../src-shared/domain/refusedSetting.ts';
import { casesInShard } from '../../../src-shared/domain/shard.ts';
import { gateNumbers } from '../../../src-shared/metrics/gateNumbers.ts';
import { judge } from '../../services/results/judge.ts';
import { judgeReport } from '../../services/checks/judgeReports.ts';
import { evaluationHead } from '../../services/reports/documents/evaluationDocument.ts';
import type { CommandContext } from './commandContext.ts';
import type { EvaluationJob } from './evaluationJob.ts';
import { exitCodeOfJudgement } from './exitCodes.ts';
import { checkEvalOptions, toEvaluationRequest, type EvalOptions } from './input/evalOptions.ts';
import {
  readInlineSources,
  rejectUnregisteredServer,
  suiteIdOf,
} from './input/evaluationSource.ts';
import { storeInput } from './input/files.ts';
import { rejectMetrics } from './input/gateOptions.ts';
import { ModelEnvironment } from './input/modelEnvironment.ts';
import { estimateShape, estimateText } from './output/planEstimate.ts';
import { readStoredReport } from './input/reportInput.ts';
import {
  modelsShape,
  modelsText,
  readModelNumbers,
  type ModelNumbers,
} from './output/modelShapes.ts';
import { partNote, printJudgement } from './output/judgementOutput.ts';
import { firstLines, rejectPlanErrors, withWarnings } from './output/planProblems.ts';
import {
  plannedReports,
  reportTexts,
  writeReports,
  type PlannedReport,
} from './output/reportFiles.ts';
import { evaluationText } from './output/shapes.ts';
import { noteSentTools } from './output/sentTools.ts';
import { describeToolChanges } from './output/toolChanges.ts';
import { checkAppended } from './output/writeOutput.ts';
import { entriesToRun, runTasks } from './runTasks.ts';
import { openSession, openTemporarySession, type Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

/**
 * Runs an evaluation, prints its result and writes its reports. Everything that can be wrong with
 * options and files is checked before anything is started.
 */
export async function runEvaluation(job: EvaluationJob, context: CommandContext): Promise<void> {
  const { options, judgedBy } = job;
  const { io } = context;
  checkEvalOptions(options);
  const environment = new ModelEnvironment(io);
  const reports = await plannedReports(options, io);
  if (options.record !== undefined) await checkAppended(options.record);
  const inline = await readInlineSources(options, io);
  const recording = options.replay === undefined ? null : await storeInput(options.replay, io);
  // What works on files alone opens no workspace, so nothing of it can be found again.
  const isKept = !inline.suite || !inline.tools;
  const session = await (
    isKept ? openSession(context, 'write') : openTemporarySession(context, options.stamp)
  ).catch(async (error: unknown) => {
    await recording?.remove();
    throw error;
  });
  try {
    const { client } = session;
    const suiteId = await suiteIdOf(client, options.suite, inline);
    const entries = await entriesToRun(client, options, suiteId, inline);
    if (!entries.cases) {
      const { isRehearsal = false, baseline, beforeStart } = job;
      const tasks = {
        ...{ client, options, inline, suiteId, recording, isKept, reports, isRehearsal },
        environment,
      };
      await runTasks(
        { ...tasks, judgedBy, baseline, ...(beforeStart && { beforeStart }) },
        context,
      );
      return;
    }
    const request = toEvaluationRequest(options, inline, suiteId, judgedBy, recording, environment);
    environment.note(context.output);
    await environment.checkAddress(client);
    rejectMetrics('case', judgedBy);
    await rejectUnregisteredServer(client, options);
    const warnings = (await job.beforeStart?.(client, request, null)) ?? [];
    const plan = withWarnings(await client.evaluations.plan(request), warnings);
    if (job.isRehearsal === true) {
      rejectPlanErrors(plan, options, options.verbose ?? false);
      return;
    }
    if (options.estimate === true) {
      await printEstimate(client, { request, plan, warnings }, options, context);
      return;
    }
    const id = await evaluate(client, request, plan, options, context);
    await answerResult(client, { ...job, id, isKept, reports, stamp: options.stamp }, context);
    if (entries.tasks)
      context.output.note(
        `The suite also has ${counted(entries.tasks, 'task')}: give --only tasks to run them.`,
      );
  } finally {
    await session.close();
    await recording?.remove();
  }
}

/** An evaluation that has ended, and where its result goes. */
export interface EndedJob extends Pick<EvaluationJob, 'judgedBy' | 'baseline'> {
  id: string;
  /** In place of version and time in reports. */
  stamp: string | undefined;
  /** False if it ran on files, so that nobody can find it again. */
  isKept: boolean;
  reports: readonly PlannedReport[];
}

/** Prints the result of an ended evaluation, writes its reports and sets the exit code. */
export async function answerResult(
  client: Client,
  job: EndedJob,
  context: CommandContext,
): Promise<void> {
  const { id, stamp = null } = job;
  const judgement = await printResult(client, job, context);
  const shown = isWorthShowing(judgement) ? { judgement } : {};
  await writeReports(
    (format) => reportTexts(client, { unit: 'case', id, stamp, format, ...shown }),
    job.reports,
    context,
  );
}

async function printEstimate(
  client: Client,
  {
    request,
    plan,
    warnings,
  }: { request: EvaluationRequest; plan: EvaluationPlan; warnings: readonly string[] },
  { count = false, verbose = false }: EvalOptions,
  { output }: CommandContext,
): Promise<void> {
  const listed = await listNewServers(client, request, plan);
  const planned = count ? await client.evaluations.countPlan(request) : listed;
  const known = planned === plan ? plan : withWarnings(planned, warnings);
  output.answer(estimateShape(known), () => estimateText(known, verbose));
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
  rejectPlanErrors(plan, options, verbose);
  if (options.replay !== undefined && options.provider !== 'replay')
    output.note(
      `The answers come from ${options.replay}; ` +
        (options.provider === undefined
          ? 'no model is asked.'
          : `${options.provider} is not asked.`),
    );
  const warnings = plan.problems.map(({ message }) => `warning: ${message}`);
  for (const line of firstLines(warnings, verbose)) output.note(line);
  const { id } = await client.evaluations.start(request);
  const { shard } = request;
  const runs =
    shard === null ? plan.runs : (plan.runs / plan.cases) * casesInShard(plan.cases, shard);
  await watchUntilEnded(client, id, runs, output, verbose);
  for (const line of await describeToolChanges(client, id)) output.note(line);
  return id;
}

/** Prints the result, says why runs have no score and what failed, and sets the exit code. */
async function printResult(
  client: Client,
  job: EndedJob,
  context: CommandContext,
): Promise<Judgement> {
  const { io, output } = context;
  const { id, isKept, stamp } = job;
  const evaluation = await client.evaluations.get({ id });
  const summary = await client.evaluations.summary({ id });
  // With a stamp, the answer is the same each time, like the reports.
  if (stamp !== undefined) summary.durationMs = null;
  const verdict = await client.results.verdict({ id });
  const models = await readModelNumbers(client, evaluation);
  const sent = await client.evaluations.sentTools({ id });
  const judgement = await judgeEvaluation(client, evaluation, models, job, context);
  const document = {
    ...evaluationHead(evaluation, summary, verdict),
    ...(isKept ? {} : { evaluation_id: null, number: null }),
    ...(models.models.length > 0 && modelsShape(models)),
    sent_tools: sent.map((each) => publish(sentToolsOfModelDocument, each)),
    unscored: judgement.unscored.map((group) => publish(unscoredDocument, group)),
    check: isWorthShowing(judgement) ? publish(judgementDocument, judgement) : null,
  };
  output.answer(
    document,
    () => evaluationText(evaluation, summary, verdict, isKept) + modelsText(models),
  );
  noteSentTools(sent, context);
  if (!isKept)
    output.note(
      'This evaluation ran on files and was not saved in a workspace. Use --report FILE to keep its results.',
    );
  for (const line of refusedLines(
    evaluation.models.map((model) => ({ ...model, label: modelLabel(model) })),
  ))
    output.note(line);
  printJudgement(judgement, output);
  const { shard } = evaluation.settings;
  if (shard !== null) output.note(partNote(shard));
  io.setExitCode(exitCodeOfJudgement(judgement));
  return judgement;
}

async function judgeEvaluation(
  client: Client,
  evaluation: Evaluation,
  { models }: ModelNumbers,
  { judgedBy, baseline }: EndedJob,
  context: CommandContext,
): Promise<Judgement> {
  const {
    id,
    settings: { shard },
  } = evaluation;
  const unscored = await client.results.unscored({ id });
  const { counts, ...summary } = await client.evaluations.summary({ id });
  const open = evaluation.outcomes.not_scored + evaluation.outcomes.not_run;
  // A part has too few cases to be judged by itself: it only says whether all of them have a score.
  if (shard !== null)
    return judge({
      models: [],
      thresholds: [],
      unscoredRuns:
        open -
        (counts.total / summary.cases) * (summary.cases - casesInShard(summary.cases, shard)),
      allowFailed: judgedBy.allowFailed,
      unscored,
      baseline: null,
    });
  if (baseline !== null)
    return judgeReport(await readStoredReport(client, id, context), baseline, judgedBy, unscored);
  return judge({
    models:
      judgedBy.pooled || models.length === 0
        ? [{ model: null, numbers: gateNumbers({ ...summary, counts }) }]
        : models.map((each) => ({ model: each.label, numbers: gateNumbers(each.summary) })),
    thresholds: judgedBy.thresholds,
    unscoredRuns: open,
    allowFailed: judgedBy.allowFailed,
    unscored,
    baseline: null,
  });
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
