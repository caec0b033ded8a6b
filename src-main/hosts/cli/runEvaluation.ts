import { executedText } from '../../../src-shared/display/executionTexts.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import type { EvaluationRequest, InlineSources } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationPlan } from '../../../src-shared/domain/evaluationPlan.ts';
import { casesInShard } from '../../../src-shared/domain/shard.ts';
import { executionModes, type ExecutionMode } from '../../../src-shared/domain/task.ts';
import {
  taskEvaluationSettings,
  type TaskEvaluationRequest,
  type TaskPlan,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { NamedReport } from '../../services/checks/reportSides.ts';
import type { JudgedBy } from '../../services/checks/judgeReports.ts';
import { renameInSuiteFile, type Renames } from '../../services/checks/renames.ts';
import { serversOfSuite } from '../../services/checks/findProjectFiles.ts';
import { answerEvaluation } from './answerEvaluation.ts';
import { askAgain, expectAgain, setRepetitions, type UpTo } from './askAgain.ts';
import type { CommandContext } from './commandContext.ts';
import { UsageError } from './exitCodes.ts';
import { runAsClients } from './runAsClients.ts';
import {
  checkEvalOptions,
  readClients,
  toEvaluationRequest,
  type EvalOptions,
} from './input/evalOptions.ts';
import {
  entriesToRun,
  folderOf,
  listNewServers,
  readInlineSources,
  rejectUnregisteredServer,
  suiteIdOf,
} from './input/evaluationSource.ts';
import { agreedTo, allowPrograms } from './input/allowedPrograms.ts';
import { readInput, storeInput, type StoredInput } from './input/files.ts';
import { rejectMetrics } from './input/gateOptions.ts';
import { ModelEnvironment } from './input/modelEnvironment.ts';
import { heldAgainstNothing, readStoredReport, type Held } from './input/reportInput.ts';
import { oneOf } from './input/optionValues.ts';
import { withRecorded } from './input/recordedOptions.ts';
import { addDeclared } from './input/projectServers.ts';
import { readJudges, readUserModel } from './input/secondModel.ts';
import { readLabels } from './input/taskLabels.ts';
import {
  againLines,
  againShape,
  estimateShape,
  estimateText,
  taskEstimateShape,
  taskEstimateText,
} from './output/planEstimate.ts';
import { checkPower, powerLines, powerShape, type CheckPower } from './output/checkPower.ts';
import { firstLines, placesIn, rejectPlanErrors, warningsOf } from './output/planProblems.ts';
import { plannedReports } from './output/reportFiles.ts';
import { noteToolChanges } from './output/toolChanges.ts';
import { checkAppended } from './output/writeOutput.ts';
import { openSession, openTemporarySession, type Client } from './session.ts';
import { watchUntilEnded } from './watch.ts';

/** What a result is held against, and what to warn of before it is there. */
interface HeldBefore extends Held {
  warnings: readonly string[];
}
const nothing: HeldBefore = { ...heldAgainstNothing, warnings: [] };

/** An evaluation that a command runs, and what its result is held against. */
export interface EvaluationJob {
  options: EvalOptions;
  judgedBy: JudgedBy;
  /** Tools whose new names the expectations of a suite file follow. */
  renames?: Renames;
  /** In place of the repetitions of its options: what disagrees with a baseline is asked again. */
  repetitions?: UpTo;
  /** Only finds out whether it can be run. */
  isRehearsal?: boolean;
  /**
   * Runs once the entries are known and before anything is started; throws what must stop it, and
   * returns what the result is held against, and what to warn of. The mode is that of tasks; null
   * for cases.
   */
  beforeStart?: (
    client: Client,
    request: Pick<EvaluationRequest, 'inline' | 'suiteId' | 'models'>,
    mode: ExecutionMode | null,
  ) => Promise<HeldBefore>;
  /** Gets the report of its result; nobody finds it again by its number unless it is kept. */
  ended?: (report: NamedReport, isKept: boolean) => void;
}

interface OpenedJob extends EvaluationJob {
  client: Client;
  inline: InlineSources;
  suiteId: string | null;
  recording: StoredInput | null;
  environment: ModelEnvironment;
}

interface PlannedJob {
  plan: EvaluationPlan | TaskPlan;
  request: EvaluationRequest | TaskEvaluationRequest;
  held: Held;
  /** How many cases or tasks the whole suite has. */
  entries: number;
  answerEstimate: (power: CheckPower | null) => void;
  /** Throws if it would execute more than was agreed to; says what it executes. */
  agree?: () => void;
  start: () => Promise<{ id: string }>;
}

/**
 * Runs the cases or the tasks of a suite, prints the result and writes its reports. Everything that
 * can be wrong with options and files is checked before anything is started.
 */
export async function runEvaluation(job: EvaluationJob, context: CommandContext): Promise<void> {
  const { options } = job;
  const clients = readClients(options.client);
  if (clients.length > 1) {
    await runAsClients(clients, job, context, runEvaluation);
    return;
  }
  const { replay, provider, models } = options;
  const isReplayAlone = replay !== undefined && (provider ?? models) === undefined;
  checkEvalOptions(isReplayAlone ? { ...options, provider: 'replay' } : options);
  const recording = replay === undefined ? null : await storeInput(replay, context.io);
  try {
    const completed = await withRecorded(options, recording);
    await runChecked({ ...job, options: completed }, recording, context);
  } finally {
    await recording?.remove();
  }
}

async function runChecked(
  job: EvaluationJob,
  recording: StoredInput | null,
  context: CommandContext,
): Promise<void> {
  const { judgedBy, renames } = job;
  let { options } = job;
  const { io, output } = context;
  const environment = new ModelEnvironment(io);
  const reports = await plannedReports(options, io);
  if (options.record !== undefined) await checkAppended(options.record);
  const suiteFile: { text: string | null } = { text: null };
  const inline = await readInlineSources(options, io, (text) => {
    suiteFile.text = text;
  });
  if (inline.suite && renames) inline.suite = renameInSuiteFile(inline.suite, renames);
  // What works on files alone opens no workspace, so nothing of it can be found again.
  const { declared } = options;
  if (declared !== undefined && !inline.suite)
    throw new UsageError(
      `${options.suite}: Servers that a project file starts need a suite that is a file. Write it ` +
        `with \`touchstone suite export "${options.suite}" --out suite.yaml\`.`,
    );
  const isKept = declared === undefined && (!inline.suite || !inline.tools);
  const session = await (isKept
    ? openSession(context, 'write')
    : openTemporarySession(context, options.stamp));
  try {
    const { client } = session;
    if (declared !== undefined && inline.suite) {
      const named = serversOfSuite(inline.suite);
      const { names } = await addDeclared(client, declared, named, io);
      // A suite that names no server is offered the tools of all.
      if (named.length === 0) options = { ...options, server: names };
    }
    const suiteId = await suiteIdOf(client, options.suite, inline);
    const entries = await entriesToRun(client, options, suiteId, inline);
    const unit = entries.cases ? 'case' : 'task';
    const leftOut = entries.cases && entries.tasks > 0;
    const opened = { ...job, options, client, inline, suiteId, recording, environment };
    const planned = await (entries.cases ? planCases : planTasks)(opened, context);
    const { plan, request } = planned;
    if (options.estimate === true) {
      planned.answerEstimate(judgedBy.isCheck === true ? checkPower(planned, judgedBy) : null);
      return;
    }
    const verbose = options.verbose ?? false;
    const placeOf = placesIn(options.suite, suiteFile.text);
    rejectPlanErrors(unit, plan, options, verbose, placeOf);
    if (job.isRehearsal === true) return;
    if (options.replay !== undefined && options.provider !== 'replay')
      output.note(
        `The answers come from ${options.replay}; ` +
          (options.provider === undefined
            ? 'no model is asked.'
            : `${options.provider} is not asked.`),
      );
    for (const line of firstLines(warningsOf(plan, placeOf), verbose)) output.note(line);
    planned.agree?.();
    const { id } = await planned.start();
    const { shard } = request;
    const runs =
      shard === null
        ? plan.runs
        : (plan.runs / planned.entries) * casesInShard(planned.entries, shard);
    const stopped = await watchUntilEnded(client, { unit, id, runs }, output, verbose);
    const askedAgain = await askAgain(
      client,
      { unit, id, request, held: planned.held, judgedBy, stopped },
      context,
    );
    await noteToolChanges(client, { unit, id }, output);
    await answerEvaluation(
      client,
      {
        unit,
        id,
        judgedBy,
        ...planned.held,
        askedAgain,
        ...(leftOut && judgedBy.isCheck === true && { uncheckedTasks: entries.tasks }),
        isKept,
        isSnapshot: inline.tools !== undefined,
        reports,
        stamp: options.stamp,
      },
      context,
    );
    job.ended?.(await readStoredReport(client, { id }), isKept);
    if (leftOut && judgedBy.isCheck !== true)
      output.note(
        `The suite also has ${counted(entries.tasks, 'task')}: give --only tasks to run them.`,
      );
  } finally {
    await session.close();
  }
}

async function planCases(job: OpenedJob, { output }: CommandContext): Promise<PlannedJob> {
  const { client, options, judgedBy, inline, suiteId, recording, environment } = job;
  const request = toEvaluationRequest(options, inline, suiteId, judgedBy, recording, environment);
  environment.note(output);
  await environment.checkAddress(client);
  rejectMetrics('case', judgedBy);
  await rejectUnregisteredServer(client, options);
  const held = (await job.beforeStart?.(client, request, null)) ?? nothing;
  const warnings = [...held.warnings, ...setRepetitions(request, job.repetitions, held)];
  const { estimate = false, count = false, verbose = false } = options;
  if (estimate) {
    const { models, servers } = await client.evaluations.plan(request);
    if (models.some(({ tools }) => tools === null)) await listNewServers(client, servers);
  }
  const found = await (estimate && count
    ? client.evaluations.countPlan(request)
    : client.evaluations.plan(request));
  const plan: EvaluationPlan = {
    ...found,
    problems: [
      ...warnings.map((message) => ({ severity: 'warning' as const, caseKey: null, message })),
      ...found.problems,
    ],
  };
  return {
    plan,
    request,
    held,
    entries: plan.cases,
    answerEstimate: (power) => {
      const again = expectAgain(request, held, plan, judgedBy);
      output.answer({ ...estimateShape(plan), ...againShape(again), ...powerShape(power) }, () =>
        [
          estimateText(plan, verbose),
          ...againLines(again, 'case'),
          ...powerLines(power, 'case'),
        ].join('\n'),
      );
    },
    start: () => client.evaluations.start(request),
  };
}

/** Options that only test cases know. */
const optionsOfCases = ['topK', 'retriever', 'cache', 'count'] as const;

async function planTasks(job: OpenedJob, { io, output }: CommandContext): Promise<PlannedJob> {
  const { client, options, judgedBy, inline, suiteId, recording, environment } = job;
  const given = new Map(Object.entries(options));
  const unknown = optionsOfCases.find((option) => given.get(option) !== undefined);
  if (unknown !== undefined)
    throw new UsageError(
      `--${unknown === 'topK' ? 'top-k' : unknown}: It applies to test cases, and only tasks run here. Leave it out.`,
    );
  const shared = toEvaluationRequest(options, inline, suiteId, judgedBy, recording, environment);
  const request: TaskEvaluationRequest = {
    ...taskEvaluationSettings.strip().parse(shared),
    ...readJudges(options, recording),
    userModel: readUserModel(options, recording),
    mode: oneOf(options.execute ?? 'stub', '--execute', executionModes),
    folder: folderOf(options.suite, inline),
    ...(inline.suite || inline.tools ? { inline } : {}),
  };
  environment.note(output);
  await environment.checkAddress(client);
  if (options.labels !== undefined) {
    const read = readLabels(options.labels, await readInput(options.labels, io));
    const { labels } = await client.evaluations.label({ labels: read });
    output.note(`Read ${counted(labels, 'label')} of ${options.labels}.`);
  }
  rejectMetrics('task', judgedBy);
  const held = (await job.beforeStart?.(client, request, request.mode)) ?? nothing;
  const warnings = [...held.warnings, ...setRepetitions(request, job.repetitions, held)];
  const isReplayed = options.replay !== undefined;
  if ((request.mode === 'full' || options.estimate === true) && !isReplayed) {
    const { unlisted } = await client.evaluations.plan({ unit: 'task', ...request });
    await listNewServers(client, unlisted);
  }
  const found = await client.evaluations.plan({ unit: 'task', ...request });
  const plan: TaskPlan = {
    ...found,
    problems: [
      ...warnings.map((message) => ({ severity: 'warning' as const, taskKey: null, message })),
      ...found.problems,
    ],
  };
  const agreed = agreedTo(plan);
  return {
    plan,
    request,
    held,
    entries: plan.tasks,
    answerEstimate: (power) => {
      const again = expectAgain(request, held, plan, judgedBy);
      output.answer(
        { ...taskEstimateShape(plan), ...againShape(again), ...powerShape(power) },
        () =>
          [taskEstimateText(plan), ...againLines(again, 'task'), ...powerLines(power, 'task')].join(
            '\n',
          ),
      );
    },
    agree: () => {
      allowPrograms(plan, options.allowPrograms, output);
      if (plan.mode === 'stub' || isReplayed) return;
      if (plan.mode === 'full' && options.yes !== true)
        throw new UsageError(
          `--execute full: ${executedText(plan)} Give --yes to agree, or another execution mode.`,
        );
      output.note(executedText(plan));
    },
    start: () => client.evaluations.start({ unit: 'task', ...request, ...agreed }),
  };
}
