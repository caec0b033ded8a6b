import { compareText } from '../../../src-shared/domain/compareText.ts';
import { taskHash } from './taskHash.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { isByModel } from '../../../src-shared/domain/checkKinds.ts';
import { byCheckKind, type CheckResult } from '../../../src-shared/domain/task.ts';
import type { AskedAgain } from '../../../src-shared/domain/askedAgain.ts';
import type { TaskRunRow } from '../../../src-shared/domain/taskEvaluation.ts';
import type {
  JudgeAgreement,
  SimulatedUsers,
  TaskCause,
  TaskReport,
  TaskSpend,
} from '../../../src-shared/domain/taskReport.ts';
import { checkDifferences } from '../../../src-shared/display/differenceTexts.ts';
import { runCauseText } from '../../../src-shared/display/runCauseTexts.ts';
import { taskFailureTexts } from '../../../src-shared/display/taskTexts.ts';
import { endText } from '../../../src-shared/display/trajectoryTexts.ts';
import { plainText } from '../../../src-shared/display/verdictTexts.ts';
import { isTied } from '../../../src-shared/domain/judgeVote.ts';
import { judgeLabels, judgesOf, promptVersionOf } from '../../../src-shared/domain/judges.ts';
import { judgesAgreement } from '../../../src-shared/metrics/judgeAgreement.ts';
import { cohensKappa } from '../../../src-shared/metrics/cohensKappa.ts';
import { partialCredit } from '../../../src-shared/metrics/partialCredit.ts';
import { groupTasks } from '../../../src-shared/metrics/taskGroups.ts';
import { summarizeTasks, type TaskRunFacts } from '../../../src-shared/metrics/taskSummary.ts';
import { effectsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { FrozenTask } from '../../store/evaluations/entries.ts';
import type { StoredCost, StoredTaskRun } from '../../store/runs/playedTasks.ts';
import { fillWhereKnown } from '../../../src-shared/domain/runValues.ts';
import { taskEnd } from '../../../src-shared/display/taskTexts.ts';
import { taskConditions } from '../runs/conditions.ts';
import { shownEvaluation } from '../runs/shownEvaluation.ts';
import { judgePrompt } from './judgePrompt.ts';
import { agreementOf } from './judges.ts';
import { sumOfKnown } from './runFacts.ts';
import { readToolUse, type ReadRun } from './readToolUse.ts';

/** What a check is about: "state of list_tasks", "answer", or "calls". */
const checkText = byCheckKind<string>({
  state: ({ kind, tool }) => `${kind} of ${tool}`,
  end_state: ({ tool }) => `end state of ${tool}`,
  unchanged: ({ tool }) => `unchanged ${tool}`,
  answer: ({ kind }) => kind,
  calls: ({ kind }) => kind,
  program: ({ kind }) => kind,
  judge: ({ kind }) => kind,
});

/** Whether a check decided that the run failed: an advisory one decides nothing. */
const hasFailed = ({ passed, advisory }: CheckResult): boolean =>
  passed === false && advisory !== true;

function reasonOf(run: StoredTaskRun): string | null {
  const { ending, verdict, outcome, failure } = run;
  if (outcome === null) return run.errorMessage;
  if (outcome === 'succeeded') return null;
  if (failure !== null) return run.errorMessage ?? taskFailureTexts[failure];
  if (outcome === 'check_failed') return verdict?.checks.find(hasFailed)?.reason ?? null;
  return (ending && endText(ending)) ?? run.errorMessage;
}

export function toRunRow(run: StoredTaskRun, task: FrozenTask, read: ReadRun | null): TaskRunRow {
  const failedCheck =
    run.outcome === 'check_failed' ? run.verdict?.checks.find(hasFailed) : undefined;
  const failedContent = task.content.checks.find(({ id }) => id === failedCheck?.id);
  return {
    runId: run.id,
    taskId: task.sourceId,
    taskKey: task.key,
    taskName: task.content.name,
    modelSettingsId: run.modelSettingsId,
    position: run.position,
    repetition: run.repetition,
    attempt: run.attempt,
    status: run.status,
    outcome: run.outcome,
    reason: reasonOf(run),
    failedCheck: failedContent ? checkText(failedContent) : (failedCheck?.id ?? null),
    checks: run.verdict?.checks ?? [],
    differences:
      run.outcome === null || run.outcome === 'succeeded' || run.outcome === 'not_scored'
        ? []
        : checkDifferences(
            fillWhereKnown(task.content.checks, run.values ?? {}),
            run.verdict?.checks ?? [],
          ),
    failure: run.failure,
    facts: run.facts,
    toolUse: read?.toolUse ?? null,
    cause: read?.cause ?? null,
  };
}

const isScored = ({ outcome }: TaskRunRow): boolean => outcome !== null && outcome !== 'not_scored';

function factsOf(row: TaskRunRow): TaskRunFacts[] {
  if (row.facts === null || row.outcome === null) return [];
  return [
    {
      ...row.facts,
      toolUse: row.toolUse,
      taskId: `${row.position}`,
      succeeded: isScored(row) ? row.outcome === 'succeeded' : null,
      credit: partialCredit(row),
    },
  ];
}

/** Why a run did not succeed, in the words that runs with the same cause share. */
function causeText({ cause, failure, reason, outcome }: TaskRunRow): string {
  if (cause) return plainText(runCauseText(cause));
  return failure ? taskFailureTexts[failure] : (reason ?? outcome ?? '');
}

/** Runs that did not succeed, by what they have in common. */
function causesOf(rows: readonly TaskRunRow[]): TaskCause[] {
  const causes = new Map<string, TaskCause>();
  for (const row of rows) {
    const { outcome, cause: did, runId } = row;
    if (outcome === null || outcome === 'succeeded') continue;
    const cause = causeText(row);
    // Tools of two servers may have the same name.
    const key = JSON.stringify([outcome, did ?? cause]);
    const known = causes.get(key) ?? { outcome, cause, did, runs: 0, runIds: [] };
    causes.set(key, { ...known, runs: known.runs + 1, runIds: [...known.runIds, runId] });
  }
  return [...causes.values()].sort((a, b) => b.runs - a.runs || compareText(a.cause, b.cause));
}

/** What a report has but for what models were sent, which wire formats say. */
export type StoredTaskReport = Omit<TaskReport, 'sentTools'>;

/** The numbers of an evaluation of tasks with all its runs. */
export function readTaskReport(
  store: Store,
  row: TaskEvaluationRow,
): Omit<StoredTaskReport, 'previous'> {
  const evaluation = shownEvaluation(store, 'task', row);
  const tasks = store.entries.list('task', row.id);
  const runs = readRunRows(store, row);
  const snapshot = row.snapshotId === null ? null : store.toolSnapshots.get(row.snapshotId);
  const effects = new Map(
    snapshot?.tools.map((tool) => [toolId(tool.server, tool.name), effectsOf(tool.annotations)]),
  );
  const offered = [...new Set((snapshot?.tools ?? []).map(({ server }) => server))];
  const grouped = tasks.map(({ key, content }) => ({
    ...{ key, name: content.name, tags: content.tags },
    servers: content.servers.length > 0 ? content.servers : offered,
  }));
  return {
    evaluation,
    summary: summarizeTasks(runs.flatMap(factsOf)),
    models: evaluation.models.map((model) => {
      const own = runs.filter(({ modelSettingsId }) => modelSettingsId === model.id);
      return {
        id: model.id,
        label: modelLabel(model),
        summary: summarizeTasks(own.flatMap(factsOf)),
        groups: groupTasks(own, grouped, causeText),
      };
    }),
    causes: causesOf(runs),
    executed: store.steps.executed(row.id).map((called) => ({
      ...called,
      destructive: effects.get(called.tool)?.destructive ?? false,
    })),
    tasks: tasks.map(({ key, content }) => ({
      key,
      request: content.turns[0] ?? '',
      hash: taskHash(content),
      expectsCalls: content.checks.some(({ kind }) => kind === 'calls'),
    })),
    tools: store.resultQueries.reportedTools(row.snapshotId),
    judge: judgeAgreementOf(store, row, runs),
    user: usersOf(runs),
    spend: spendOn(store.playedTasks.costs(row.id)),
    askedAgain: askedAgainOf(store, row),
    conditions: Object.fromEntries(
      evaluation.models.map((model) => [model.id, taskConditions(row.settings, row.suite, model)]),
    ),
    runs,
  };
}

/**
 * What all attempts of runs cost. Those of versions without an account are priced by their steps,
 * judge and user; of a run that was killed only the spend under a limit is known.
 */
function spendOn(costs: readonly StoredCost[]): TaskSpend {
  return {
    usd: sumOfKnown(
      costs.flatMap(({ facts, spentUsd }) =>
        facts === null
          ? [spentUsd]
          : facts.spend
            ? [facts.spend.usd]
            : [facts.cost, facts.judgeCost ?? 0, facts.user ? facts.user.cost : 0],
      ),
    ),
    unanswered: costs.reduce((sum, { facts }) => sum + (facts?.spend?.unanswered ?? 0), 0),
  };
}

function askedAgainOf(store: Store, { id, settings }: TaskEvaluationRow): AskedAgain | null {
  if (settings.repetitionsUpTo === undefined) return null;
  const all = store.evaluations.askedAgain('task', id);
  return {
    upTo: settings.repetitionsUpTo,
    costUsd: sumOfKnown(all.map((row) => spendOn(store.playedTasks.costs(row.id)).usd)),
    runs: all
      .flatMap((row) => readRunRows(store, row))
      .map((run) => ({
        ...{ runId: run.runId, caseKey: run.taskKey, modelSettingsId: run.modelSettingsId },
        ...{ repetition: run.repetition, failure: run.failure },
        passed: isScored(run) ? run.outcome === 'succeeded' : null,
        called: [taskEnd(run)],
        differences: run.differences,
      })),
  };
}

/** What the simulated users of runs took; null if no run had one. */
export function usersOf(runs: readonly Pick<TaskRunRow, 'facts'>[]): SimulatedUsers | null {
  const users = runs.flatMap(({ facts }) => facts?.user ?? []);
  if (users.length === 0) return null;
  return {
    model: [...new Set(users.map(({ model }) => model))].join(', '),
    runs: users.length,
    turns: users.reduce((total, { turns }) => total + turns, 0),
    tokens: sumOfKnown(users.map(({ tokens }) => tokens)),
    cost: sumOfKnown(users.map(({ cost }) => cost)),
  };
}

/** Whether a judge was asked about a check: it gave a verdict, or none that is usable. */
const wasAsked = (check: CheckResult): boolean =>
  isByModel(check) && (check.passed !== null || check.unusable === true);

/** What each judge said, and how several agree. */
function votesOf(
  labels: readonly string[],
  runs: readonly TaskRunRow[],
): Pick<JudgeAgreement, 'judges' | 'between'> {
  const asked = runs.flatMap(({ taskKey, checks }) =>
    checks.filter(wasAsked).map((check) => ({
      ...{ taskKey, check },
      votes: check.votes?.map(({ passed }) => passed) ?? [check.passed],
    })),
  );
  const count = (at: number, said: boolean | null) =>
    asked.filter(({ votes }) => votes[at] === said).length;
  return {
    judges: labels.map((judge, at) => ({
      ...{ judge, yes: count(at, true), no: count(at, false), unusable: count(at, null) },
    })),
    between:
      labels.length < 2
        ? null
        : { ties: asked.filter(({ check }) => isTied(check)).length, ...judgesAgreement(asked) },
  };
}

/** How people agree with the judges of an evaluation; null if it has none. */
function judgeAgreementOf(
  store: Store,
  { suiteName, settings }: Pick<TaskEvaluationRow, 'suiteName' | 'settings'>,
  runs: readonly TaskRunRow[],
): JudgeAgreement | null {
  if (settings.judge === null) return null;
  const version = promptVersionOf(settings);
  const counts = settings.mergedAgreement ?? agreementOf(store, suiteName, settings, version);
  const { kappa, n, interval } = cohensKappa(counts);
  const asked = runs.flatMap(({ checks }) => checks).filter(wasAsked);
  return {
    judge: judgeLabels(settings),
    interval,
    prompt: { version, text: version === judgePrompt.version ? judgePrompt.text : null },
    ...votesOf(judgesOf(settings).map(modelLabel), runs),
    counts: settings.judgeTerms?.counts ?? false,
    kappa,
    n,
    bothYes: counts.bothYes,
    onlyPerson: counts.onlyFirst,
    onlyJudge: counts.onlySecond,
    bothNo: counts.bothNo,
    asked: asked.length,
    unusable: asked.filter(({ unusable }) => unusable === true).length,
    cost: sumOfKnown(
      runs.flatMap(({ facts }) => (facts?.judgeCost === undefined ? [] : [facts.judgeCost])),
    ),
  };
}

export function readRunRows(
  store: Store,
  evaluation: TaskEvaluationRow,
  positions?: readonly number[],
): TaskRunRow[] {
  const { id } = evaluation;
  const frozen = positions
    ? store.entries.at('task', id, positions)
    : store.entries.list('task', id);
  const tasks = new Map(frozen.map((task) => [task.position, task]));
  const runs = store.playedTasks.list(id, positions);
  const made = store.steps.madeCalls(id, positions);
  const uses = readToolUse(store, evaluation, tasks, runs, made);
  return runs.flatMap((run) => {
    const task = tasks.get(run.position);
    return task ? [toRunRow(run, task, uses.get(run.id) ?? null)] : [];
  });
}

/** Runs by row id, in the given order. A succeeded run of a task says what others should call. */
export function readRunPage(
  store: Store,
  evaluation: TaskEvaluationRow,
  rowids: ArrayLike<number>,
): TaskRunRow[] {
  const places = store.playedTasks.places(rowids);
  const positions = [...new Set(places.map(({ position }) => position))];
  const rows = new Map(readRunRows(store, evaluation, positions).map((row) => [row.runId, row]));
  return places.flatMap(({ id }) => rows.get(id) ?? []);
}
