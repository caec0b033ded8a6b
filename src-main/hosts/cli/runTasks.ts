import {
  judgementDocument,
  unscoredDocument,
} from '../../services/reports/documents/judgementDocument.ts';
import { publish } from '../../services/reports/documents/published.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { refusedLines } from '../../../src-shared/domain/refusedSetting.ts';
import { executedText } from '../../../src-shared/display/executionTexts.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { casesInShard } from '../../../src-shared/domain/shard.ts';
import type { TaskReport } from '../../../src-shared/domain/taskReport.ts';
import type { Judgement } from '../../../src-shared/domain/judgement.ts';
import { isWorthShowing } from '../../../src-shared/display/judgementTexts.ts';
import type { InlineSources } from '../../../src-shared/domain/evaluation.ts';
import { casesOfFile, tasksOfFile } from '../../../src-shared/domain/suiteFile.ts';
import { executionModes } from '../../../src-shared/domain/task.ts';
import {
  taskEvaluationSettings,
  type TaskEvaluationRequest,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { judge } from '../../services/results/judge.ts';
import { judgeReport, type JudgedBy } from '../../services/checks/judgeReports.ts';
import { unscoredTasks } from '../../services/tasks/unscoredTasks.ts';
import { tasksReport } from '../../services/reports/subjects/tasksReport.ts';
import { tasksDocument } from '../../services/reports/documents/tasksDocument.ts';
import { readStoredReport } from './input/reportInput.ts';
import type { EvaluationJob } from './evaluationJob.ts';
import type { CommandContext } from './commandContext.ts';
import { exitCodeOfJudgement, UsageError } from './exitCodes.ts';
import type { ModelEnvironment } from './input/modelEnvironment.ts';
import { toEvaluationRequest, type EvalOptions } from './input/evalOptions.ts';
import { readInput, type StoredInput } from './input/files.ts';
import { gatesOf, rejectMetrics } from './input/gateOptions.ts';
import { oneOf } from './input/optionValues.ts';
import { partNote, printJudgement } from './output/judgementOutput.ts';
import { readJudge, readUserModel } from './input/secondModel.ts';
import { readLabels } from './input/taskLabels.ts';
import { firstLines, withTaskWarnings } from './output/planProblems.ts';
import { taskEstimateShape, taskEstimateText } from './output/planEstimate.ts';
import { noteSentTools } from './output/sentTools.ts';
import { makeReportOf, writeReports, type PlannedReport } from './output/reportFiles.ts';
import { tasksText } from './output/tasksText.ts';
import type { Client } from './session.ts';
import { onInterrupt } from './signals.ts';

/** How many entries of each kind a command runs; 0 for those that it leaves out. */
export async function entriesToRun(
  client: Client,
  { suite, only }: Pick<EvalOptions, 'suite' | 'only'>,
  suiteId: string | null,
  inline: InlineSources,
): Promise<{ cases: boolean; tasks: number }> {
  const size = inline.suite
    ? { cases: casesOfFile(inline.suite).length, tasks: tasksOfFile(inline.suite).length }
    : await client.suites
        .get({ id: suiteId ?? '' })
        .then(({ caseCount, taskCount }) => ({ cases: caseCount, tasks: taskCount }));
  if (only === 'tasks') {
    if (size.tasks === 0)
      throw new UsageError(`--only tasks: The suite ${suite} has no task, only test cases.`);
    return { cases: false, tasks: size.tasks };
  }
  if (only === 'cases') return { cases: true, tasks: 0 };
  return { cases: size.cases > 0 || size.tasks === 0, tasks: size.tasks };
}

interface TasksJob extends Pick<
  EvaluationJob,
  'judgedBy' | 'baseline' | 'beforeStart' | 'isRehearsal'
> {
  client: Client;
  options: EvalOptions;
  inline: InlineSources;
  suiteId: string | null;
  recording: StoredInput | null;
  environment: ModelEnvironment;
  isKept: boolean;
  reports: readonly PlannedReport[];
}

/** Options that only test cases know. */
const optionsOfCases = ['topK', 'retriever', 'cache', 'count'] as const;

/** What the options ask the task evaluations service for, without consent. */
function toRequest({
  options,
  inline,
  suiteId,
  recording,
  environment,
  judgedBy,
}: TasksJob): TaskEvaluationRequest {
  const given = new Map(Object.entries(options));
  const unknown = optionsOfCases.find((option) => given.get(option) !== undefined);
  if (unknown !== undefined)
    throw new UsageError(
      `--${unknown === 'topK' ? 'top-k' : unknown}: It applies to test cases, and only tasks run here. Leave it out.`,
    );
  const shared = toEvaluationRequest(options, inline, suiteId, judgedBy, recording, environment);
  return {
    ...taskEvaluationSettings.strip().parse(shared),
    judge: readJudge(options, recording),
    userModel: readUserModel(options, recording),
    mode: oneOf(options.execute ?? 'stub', '--execute', executionModes),
    ...(inline.suite || inline.tools ? { inline } : {}),
  };
}

/** Runs the tasks of a suite, prints the result and writes its reports. */
export async function runTasks(job: TasksJob, context: CommandContext): Promise<void> {
  const { client, options, reports, isKept } = job;
  const { output } = context;
  const asked = toRequest(job);
  job.environment.note(output);
  await job.environment.checkAddress(client);
  if (options.labels !== undefined) {
    const read = readLabels(options.labels, await readInput(options.labels, context.io));
    const { labels } = await client.evaluations.label({ labels: read });
    output.note(`Read ${counted(labels, 'label')} of ${options.labels}.`);
  }
  rejectMetrics('task', job.judgedBy);
  const known = (await job.beforeStart?.(client, asked, asked.mode)) ?? [];
  const needsTools = asked.mode === 'full' || options.estimate === true;
  if (needsTools && options.replay === undefined) await listNewServers(client, asked);
  const plan = withTaskWarnings(await client.evaluations.plan({ unit: 'task', ...asked }), known);
  if (options.estimate === true) {
    output.answer(taskEstimateShape(plan), () => taskEstimateText(plan));
    return;
  }
  const errors = plan.problems.filter(({ severity }) => severity === 'error');
  if (errors[0]) {
    for (const { message } of errors.slice(1)) output.error(message);
    throw new UsageError(`${options.suite}: ${errors[0].message}`);
  }
  if (job.isRehearsal === true) return;
  const warnings = plan.problems.map(({ message }) => `warning: ${message}`);
  for (const line of firstLines(warnings, options.verbose ?? false)) output.note(line);
  const executes = plan.mode !== 'stub' && options.replay === undefined;
  if (executes && plan.mode === 'full' && options.yes !== true)
    throw new UsageError(
      `--execute full: ${executedText(plan)} Give --yes to agree, or another execution mode.`,
    );
  if (executes) output.note(executedText(plan));
  const { id } = await client.evaluations.start({
    unit: 'task',
    ...asked,
    agreedServers: plan.mode === 'full' ? plan.servers : [],
  });
  const { shard } = asked;
  const runs =
    shard === null ? plan.runs : (plan.runs / plan.tasks) * casesInShard(plan.tasks, shard);
  await watchTasks(client, id, runs, context);
  const { judgedBy, baseline } = job;
  await answerTasks(
    client,
    { id, isKept, reports, stamp: options.stamp, judgedBy, baseline },
    context,
  );
}

/** A task evaluation that has ended, and where its result goes. */
interface EndedTasks extends Pick<TasksJob, 'isKept' | 'reports' | 'judgedBy' | 'baseline'> {
  id: string;
  /** In place of version and time in reports. */
  stamp: string | undefined;
}

/** Prints the result, judges it, writes the reports and sets the exit code. */
export async function answerTasks(
  client: Client,
  { id, isKept, reports, stamp, judgedBy, baseline }: EndedTasks,
  context: CommandContext,
): Promise<void> {
  const { io, output } = context;
  const report = await client.evaluations.report({ id });
  // With a stamp, the answer is the same each time, like the reports.
  if (stamp !== undefined) Object.assign(report.evaluation, { startedAt: null, completedAt: null });
  const { shard } = report.evaluation.settings;
  const judgement =
    shard === null
      ? judgeReport(
          await readStoredReport(client, id, context),
          baseline,
          judgedBy,
          unscoredTasks(report),
        )
      : judgePart(report, judgedBy);
  const shown = isWorthShowing(judgement) ? judgement : null;
  const document = {
    ...publish(tasksDocument, report),
    check: shown && publish(judgementDocument, shown),
    unscored: judgement.unscored.map((group) => publish(unscoredDocument, group)),
  };
  output.answer(isKept ? document : { ...document, evaluation_id: null, number: null }, () =>
    tasksText(report, isKept),
  );
  noteSentTools(report.sentTools, context);
  for (const line of refusedLines(
    report.evaluation.models.map((model) => ({ ...model, label: modelLabel(model) })),
  ))
    output.note(line);
  printJudgement(judgement, output);
  if (shard !== null) output.note(partNote(shard));
  const part = shard && (await client.evaluations.shard({ id }));
  await writeReports(
    makeReportOf(
      (generated) => tasksReport(report, generated, shown, part),
      stamp === undefined ? {} : { stamp },
    ),
    reports,
    context,
  );
  io.setExitCode(exitCodeOfJudgement(judgement));
}

/** A part has too few tasks to be judged by itself: it only says whether all of them have a score. */
function judgePart(report: TaskReport, { allowFailed }: JudgedBy): Judgement {
  const unscored = unscoredTasks(report);
  return judge({
    models: [],
    thresholds: [],
    unscoredRuns: unscored.reduce((sum, { runs }) => sum + runs, 0),
    allowFailed,
    unscored,
    baseline: null,
  });
}

/** Runs what has no score in an earlier task evaluation, in the mode that it was started in. */
export async function resumeTasks(
  client: Client,
  id: string,
  ended: Pick<EndedTasks, 'reports' | 'stamp' | 'judgedBy'>,
  context: CommandContext,
): Promise<void> {
  const { settings } = await client.evaluations.get({ unit: 'task', id });
  const unscored = unscoredTasks(await client.evaluations.report({ id }));
  const left = unscored.reduce((sum, { runs }) => sum + runs, 0);
  if (left === 0) context.output.note('Nothing is left to run: every run has a score.');
  else {
    context.output.note(`Running ${counted(left, 'run')} without a score.`);
    await client.evaluations.resume({ unit: 'task', id });
    await watchTasks(client, id, left, context);
  }
  const judgedBy = gatesOf(ended.judgedBy, settings);
  await answerTasks(client, { ...ended, judgedBy, id, isKept: true, baseline: null }, context);
}

/** Servers that were never listed are asked first, so that consent and estimate know their tools. */
export async function listNewServers(
  client: Client,
  request: TaskEvaluationRequest,
): Promise<void> {
  const { unlisted } = await client.evaluations.plan({ unit: 'task', ...request });
  if (unlisted.length === 0) return;
  for (const { id, name } of await client.servers.list())
    if (unlisted.includes(name)) await client.servers.refreshTools({ id });
}

/** Shows progress until the evaluation has ended. Ctrl-C cancels it and keeps its results. */
export async function watchTasks(
  client: Client,
  id: string,
  total: number,
  { output }: CommandContext,
): Promise<void> {
  const startedAt = Date.now();
  const unsubscribe = onInterrupt(() => {
    output.note('Stopping; finished runs are kept.');
    void client.evaluations.cancel({ unit: 'task', id }).catch(() => undefined);
  });
  try {
    let finished = 0;
    for await (const event of await client.evaluations.watch({ unit: 'task', id, afterSeq: 0 })) {
      // What was done before a resume is not part of what is left.
      if (event.type === 'resumed') finished = 0;
      if (event.type === 'ingested')
        for (const { server, status, error } of event.servers)
          if (status === 'failed')
            output.error(`Server ${server}: ${error ?? 'It listed no tools.'}`);
      if (event.type !== 'runs') continue;
      finished += event.outcomes.length;
      output.progress(finished, total, startedAt);
    }
  } finally {
    output.endProgress();
    unsubscribe();
  }
}
