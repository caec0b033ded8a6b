import { shortModelName } from './shortModelName.ts';
import { counted, formatCount, formatPercent, namedInterval, formatUsd } from './numbers.ts';
import { checkKinds, readsServer, type CheckKind } from '../domain/checkKinds.ts';
import type {
  CallAnswer,
  ExecutionMode,
  TaskCheck,
  TaskContent,
  TaskOutcome,
} from '../domain/task.ts';
import type {
  OtherTaskRun,
  TaskEvaluation,
  TaskFailure,
  TaskOutcomeCounts,
  TaskRunRow,
} from '../domain/taskEvaluation.ts';
import { modeTexts } from './executionTexts.ts';
import { resetCalls } from '../domain/fixtureParts.ts';
import { whereByModel } from './failureTexts.ts';
import { type PassedRuns, passedOfModels, rateOfModels } from './modelRateTexts.ts';
import { countRunCauses, runCauseLabels, runCauseText } from './runCauseTexts.ts';
import { causeLabel, changeText, type RichText } from './verdictTexts.ts';
import type { FailureKind } from '../domain/evaluation.ts';
import { failureTexts } from '../domain/failureTexts.ts';
import { hasEnded } from '../domain/evaluationState.ts';
import type { TaskCause, TaskReport } from '../domain/taskReport.ts';

export type { TaskOutcomeCounts };
/** Every outcome that a count can show. */
export type ShownTaskOutcome = TaskOutcome | 'not_run';

/** The words for outcomes of tasks; the same in the window, in reports and on the command line. */
export const taskOutcomeTexts: Readonly<
  Record<TaskOutcome | 'not_run', { glyph: string; label: string; title: string; meaning: string }>
> = {
  succeeded: {
    glyph: '✓',
    label: 'succeeded',
    title: 'Succeeded',
    meaning: 'The model answered the last turn and every check passed.',
  },
  check_failed: {
    glyph: '✗',
    label: 'failed',
    title: 'Failed',
    meaning: 'The model answered, but at least one check did not pass.',
  },
  limit: {
    glyph: '⊣',
    label: 'limit reached',
    title: 'Limit reached',
    meaning: 'The run reached its limit of steps, tool calls, tokens, or time.',
  },
  loop: {
    glyph: '↻',
    label: 'loop',
    title: 'Loop',
    meaning: 'The model made the same call with the same arguments three times.',
  },
  refused: {
    glyph: '⦸',
    label: 'refused',
    title: 'Refused',
    meaning: 'The model refused to work on the task.',
  },
  no_answer: {
    glyph: '∅',
    label: 'no answer',
    title: 'No answer',
    meaning: 'The reply was empty, or ended for an unknown reason.',
  },
  not_scored: {
    glyph: '−',
    label: 'not scored',
    title: 'Not scored',
    meaning:
      'A server, the provider, or the execution mode kept the run from being judged, or no check ' +
      'of its task decides.',
  },
  not_run: {
    glyph: '·',
    label: 'not run',
    title: 'Not run',
    meaning: 'The evaluation ended before this run did.',
  },
};

/** How a run of a task ended, as a comparison shows it. */
export const taskEnd = ({
  outcome,
  failedCheck,
}: Pick<TaskRunRow, 'outcome' | 'failedCheck'>): string =>
  taskOutcomeTexts[outcome ?? 'not_run'].label + (failedCheck === null ? '' : `: ${failedCheck}`);

/** What the model did in a run that failed, or how the run ended: "left out a call", "succeeded". */
export const runEndText = ({ outcome, cause }: Pick<TaskRunRow, 'outcome' | 'cause'>): string =>
  cause === null ? taskOutcomeTexts[outcome ?? 'not_run'].label : runCauseLabels[cause.kind].label;

export const callAnswerTexts: Readonly<Record<CallAnswer, { label: string; meaning: string }>> = {
  executed: { label: 'executed', meaning: 'The server executed the call.' },
  no_answer: {
    label: 'no answer',
    meaning:
      'The call was sent, and no usable answer came. It may have taken effect, and it counts as made.',
  },
  server_ended: {
    label: 'server ended',
    meaning:
      'The call was sent, and the server or its connection ended before the answer. It may have ' +
      'taken effect, and it counts as made.',
  },
  not_sent: {
    label: 'not sent',
    meaning: 'The server had ended before, or could not be reached.',
  },
  over_limit: {
    label: 'not executed: limit reached',
    meaning: 'The reply has more calls than the limit of tool calls leaves.',
  },
  run_ended: {
    label: 'not executed: run ended',
    meaning: 'The run ended before it was the turn of this call.',
  },
  fault: {
    label: 'fault on purpose',
    meaning: 'A fault of the task answered in place of the tool, which was not called.',
  },
  stubbed: { label: 'stub result', meaning: 'A stub result of the task answered the call.' },
  not_executed: { label: 'not executed', meaning: 'The execution mode doesn’t execute this tool.' },
  not_offered: {
    label: 'not offered',
    meaning: 'The model called a tool that it was not offered.',
  },
  unreadable_arguments: {
    label: 'not executed: unreadable arguments',
    meaning: 'The arguments of the call are not a JSON object.',
  },
};

export const taskFailureTexts: Readonly<Record<TaskFailure, string>> = {
  mode: 'the execution mode doesn’t execute a tool that the task needs',
  server: 'a server could not list its tools',
  check: 'a check could not be evaluated',
  environment: 'a server could not be started or reached',
  setup: 'the setup failed',
  provider: failureTexts.provider,
  agent: failureTexts.agent,
  model: failureTexts.model,
  user: 'the simulated user gave no reply',
  tool: 'a server failed during a call',
  state: 'the state could not be read',
  judge: 'the judge gave no verdict',
  no_check: 'no check of this task decides',
  interrupted: failureTexts.interrupted,
  cancelled: failureTexts.cancelled,
  internal: failureTexts.internal,
};

const failed = ['check_failed', 'limit', 'loop', 'refused', 'no_answer'] as const;

export const failedTasks = (counts: TaskOutcomeCounts): number =>
  failed.reduce((sum, outcome) => sum + counts[outcome], 0);

export const scoredTasks = (counts: TaskOutcomeCounts): number =>
  counts.succeeded + failedTasks(counts);

interface CountedTaskOutcome {
  outcome: ShownTaskOutcome;
  count: number;
}

const occurring = (counts: TaskOutcomeCounts, outcomes: readonly ShownTaskOutcome[]) =>
  outcomes
    .map((outcome): CountedTaskOutcome => ({ outcome, count: counts[outcome] }))
    .filter(({ count }) => count > 0);

/**
 * The sign of a run in a list of many: one for all that failed, because what the model did is said
 * where a run is shown by itself.
 */
export const signOfTask = <Of extends string>(outcome: Of): Of | 'check_failed' =>
  failed.some((one) => one === outcome) ? 'check_failed' : outcome;

/** The outcomes that occur, as a bar shows them: succeeded, failed, then the rest. */
export const shownTaskOutcomes = (counts: TaskOutcomeCounts): CountedTaskOutcome[] =>
  occurring({ ...counts, check_failed: failedTasks(counts) }, [
    ...(['succeeded', 'check_failed', 'not_scored', 'not_run'] as const),
  ]);

/** "2 not scored, 5 not run"; while runs are still to come, "2 not scored, 5 to go". */
export function tasksWithoutScore(counts: TaskOutcomeCounts, soFar = false): string {
  return occurring(counts, ['not_scored', 'not_run'])
    .map(({ outcome, count }) =>
      soFar && outcome === 'not_run'
        ? `${formatCount(count)} to go`
        : `${formatCount(count)} ${taskOutcomeTexts[outcome].label}`,
    )
    .join(', ');
}

type ListedTasks = Pick<TaskEvaluation, 'state' | 'outcomes' | 'byModel' | 'settings' | 'models'>;

/** True if it was cancelled or its program ended, so that runs are missing. */
export const isStoppedEarly = ({ state }: Pick<TaskEvaluation, 'state'>): boolean =>
  state === 'cancelled' || state === 'interrupted';

/** Its result in a list: "14 of 20 tasks", "Stopped at 3 of 20", or how far it is. */
export function taskResultText(one: ListedTasks): string {
  const { state, outcomes, settings, models } = one;
  const total = scoredTasks(outcomes) + outcomes.not_scored + outcomes.not_run;
  const far = `${formatCount(total - outcomes.not_run)} of ${formatCount(total)}`;
  if (!hasEnded(state)) return `Running: ${far}`;
  if (isStoppedEarly({ state }) && outcomes.not_run > 0) return `Stopped at ${far}`;
  return passedOfModels(succeededByModel(one), settings.repetitions === 1 ? 'task' : 'run', models);
}

/** The scored runs of each model that has some. */
export const succeededByModel = ({
  outcomes,
  byModel = [outcomes],
}: Pick<TaskEvaluation, 'outcomes' | 'byModel'>): PassedRuns[] =>
  byModel
    .map((one) => ({ passed: one.succeeded, scored: scoredTasks(one) }))
    .filter(({ scored }) => scored > 0);

/** The success rates of the models of one that has ended, "70%"; empty while there is none. */
export const taskRateText = (
  one: Pick<TaskEvaluation, 'state' | 'outcomes' | 'byModel'>,
): string => (hasEnded(one.state) ? rateOfModels(succeededByModel(one)) : '');

/** "14 of 20 tasks succeeded", of one model; with repetitions, runs are counted. */
export function taskHeadline(
  { scored, succeeded }: Pick<TaskReport['summary'], 'scored' | 'succeeded'>,
  evaluation: Pick<TaskEvaluation, 'settings'>,
  soFar = false,
): string {
  const unit = countedUnit(evaluation);
  if (scored === 0) return soFar ? `No ${unit} is scored yet` : 'No run was scored';
  const when = soFar ? ' so far' : '';
  return `${formatCount(succeeded)} of ${counted(scored, unit)} succeeded${when}`;
}

/** The change of the first model that has a previous result: models are never pooled. */
export const firstChange = ({ models, previous }: Pick<TaskReport, 'models' | 'previous'>) =>
  models.flatMap(({ id, label }) => {
    const change = previous[id];
    return change === undefined ? [] : [{ ...change, model: change.model === null ? null : label }];
  })[0] ?? null;

/** A headline with its rate for each model, and its change since the previous result. */
export function taskHeadlines({ evaluation, models, previous }: TaskReport): RichText[] {
  return models.map(({ id, label, summary }) => {
    const rate = summary.scored === 0 ? '' : `, ${successText(summary)}`;
    const known = previous[id];
    // The line has the name of its model, which a server or a person chose.
    const change =
      known === undefined ? null : changeText({ previous: { ...known, model: null } }, 'task');
    const since =
      change === null ? '' : ` ${[change.change, change.rest].filter(Boolean).join(' ')}.`;
    return [
      ...(models.length > 1 ? [{ code: label }, ': '] : []),
      `${taskHeadline(summary, evaluation)}${rate}.${since}`,
    ];
  });
}

/** The success rate and its interval: "70%" and "95% CI 48–85%"; empty where undefined. */
export function successParts({ successRate }: TaskReport['summary']): {
  rate: string;
  interval: string;
} {
  const { value } = successRate;
  return {
    rate: value === null ? '' : formatPercent(value),
    interval: namedInterval(successRate),
  };
}

/** "70% (95% CI 48–85%)" */
function successText(summary: TaskReport['summary']): string {
  const { rate, interval } = successParts(summary);
  if (rate === '') return formatPercent(null);
  return interval === '' ? rate : `${rate} (${interval})`;
}

/**
 * Why a run did not succeed: its end, unless only checks failed, and what differs in each of them.
 */
export const whatFailed = ({
  outcome,
  reason,
  differences,
}: Pick<TaskRunRow, 'outcome' | 'reason' | 'differences'>): string[] => [
  ...(reason === null || (outcome === 'check_failed' && differences.length > 0) ? [] : [reason]),
  ...differences.map(({ text }) => text),
];

/** Failures that a resume would meet again: it changes neither the mode nor the checks. */
const lasting: ReadonlySet<string | null> = new Set<TaskFailure>(['mode', 'no_check']);

export const isLastingFailure = (failure: TaskFailure | FailureKind | null): boolean =>
  lasting.has(failure);

/** Whether a resume would run something. */
export function isTaskResumable({ evaluation, runs }: TaskReport): boolean {
  return (
    hasEnded(evaluation.state) &&
    runs.some(
      ({ outcome, failure }) =>
        outcome === null || (outcome === 'not_scored' && !isLastingFailure(failure)),
    )
  );
}

/** A run by its evaluation, model and repetition: "#12 · gpt-5 · run 2". */
export const otherRunLabel = ({ number, model, repetition }: OtherTaskRun): string =>
  `#${number} · ${shortModelName(model, [])} · run ${repetition}`;

/** Who talked to the model after the scripted turns; null: nobody. */
export function simulatedUserText({ user }: Pick<TaskReport, 'user'>): string | null {
  if (user === null) return null;
  const cost = user.cost === null ? '' : `, ${formatUsd(user.cost)}`;
  const tokens = user.tokens === null ? '' : `, ${counted(user.tokens, 'token')}`;
  return (
    `${user.model} played the user in ${counted(user.runs, 'run')}: ` +
    `${counted(user.turns, 'reply', 'replies')}${tokens}${cost}.`
  );
}

export const checkKindTexts: Readonly<Record<CheckKind, string>> = {
  state: 'State',
  end_state: 'End state',
  unchanged: 'Unchanged',
  answer: 'Answer',
  calls: 'Calls',
  program: 'Program',
  judge: 'Judge',
};

/** The checks of a task by kind: "state × 2, answer". */
export function checksText(checks: readonly Pick<TaskCheck, 'kind'>[]): string {
  return checkKinds
    .map((kind) => ({ kind, count: checks.filter((check) => check.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const name = checkKindTexts[kind].toLowerCase();
      return count === 1 ? name : `${name} × ${formatCount(count)}`;
    })
    .join(', ');
}

/**
 * The mode that executes least and can score a task. A setup call is taken to change something,
 * because only the server knows.
 */
export function leastMode({
  checks,
  setup,
  solution = [],
  ...fixtures
}: Pick<TaskContent, 'checks' | 'setup' | 'solution' | 'before' | 'reset'>): ExecutionMode {
  if (!checks.some(readsServer) && fixtures.before === undefined) return 'stub';
  return setup.length + resetCalls(fixtures).length + solution.length > 0 ? 'full' : 'read-only';
}

/** A task that ran once with each model counts as one; repetitions count as runs. */
export const countedUnit = ({ settings }: Pick<TaskEvaluation, 'settings'>): 'task' | 'run' =>
  settings.repetitions === 1 ? 'task' : 'run';

/** A cause as a sentence: "Stopped after `add_task`, never called `complete_task` in 4 tasks." */
function taskCauseText(
  { cause, did, runs, runIds }: TaskCause,
  { evaluation, models, runs: all }: CausesOfReport,
): RichText {
  const unit = countedUnit(evaluation);
  if (did === null)
    return [`${counted(runs, unit)} could not be scored: ${cause.replace(/\.$/u, '')}.`];
  const ids = new Set(runIds);
  const own = all.filter(({ runId }) => ids.has(runId));
  const where =
    models.length < 2 || models.length > maxNamed
      ? `in ${counted(runs, models.length < 2 ? unit : 'run')}`
      : whereByModel(
          models.map(({ id, label }) => ({
            name: label,
            runs: own.filter(({ modelSettingsId }) => modelSettingsId === id).length,
          })),
          unit,
        );
  return [...runCauseText(did), ` ${where}.`];
}

/** More models are not named in a sentence. */
const maxNamed = 4;
type CausesOfReport = Pick<TaskReport, 'causes' | 'evaluation' | 'models' | 'runs'>;

interface BiggestTaskCause {
  label: string;
  text: RichText;
  /** The tool at fault; null: none is known. */
  tool: string | null;
  runId: string | null;
}

/** The cause behind most failures, as a sentence with its label; null if nothing failed. */
export function biggestTaskCause(report: CausesOfReport): BiggestTaskCause | null {
  const { causes } = report;
  const failures = causes.filter(({ did }) => did !== null);
  const shown = failures.length > 0 ? failures : causes;
  const [first] = shown;
  if (first === undefined) return null;
  return {
    label: causeLabel(shown),
    text: taskCauseText(first, report),
    tool: first.did?.tool ?? null,
    runId: first.runIds[0] ?? null,
  };
}

/** "6 failed: 4 stopped too early · 2 wrong tool"; what is not scored or not run follows. */
export function failureLine({
  evaluation: { outcomes },
  causes,
}: Pick<TaskReport, 'evaluation' | 'causes'>): string {
  const parts = countRunCauses(causes).map(({ label, runs }) => `${formatCount(runs)} ${label}`);
  const failures =
    parts.length === 0
      ? []
      : [`${formatCount(failedTasks(outcomes))} failed: ${parts.join(' · ')}`];
  const without = tasksWithoutScore(outcomes).split(', ').filter(Boolean);
  return [...failures, ...without].join(' · ');
}

/** Calls without an answer: "2 got no answer and may have taken effect, 1 of them destructive…". */
function unansweredText(executed: TaskReport['executed']): string {
  const sum = (tools: TaskReport['executed']) =>
    tools.reduce((total, { unanswered }) => total + unanswered, 0);
  const [all, destructive] = [sum(executed), sum(executed.filter((tool) => tool.destructive))];
  if (all === 0) return '';
  const which =
    destructive === 0
      ? ''
      : `, ${formatCount(destructive)} of them destructive according to the server`;
  return ` ${counted(all, 'call')} got no answer and may have taken effect${which}.`;
}

/** How often each kind of injected instruction was followed: a task may succeed all the same. */
export const attackTexts = ({ attacks }: TaskReport['summary']): string[] =>
  attacks
    .filter(({ attackSuccess }) => attackSuccess.n > 0)
    .map(({ technique, attackSuccess }) => {
      const interval = namedInterval(attackSuccess);
      return (
        `Attack success, ${technique.replaceAll('_', ' ')}: ` +
        `${formatPercent(attackSuccess.value)} of ${counted(attackSuccess.n, 'exposed run')}` +
        `${interval === '' ? '' : ` (${interval})`}.`
      );
    });

/** How many runs an injected instruction never reached; null if it reached all or there is none. */
export function exposureText({ attacks, notExposed }: TaskReport['summary']): string | null {
  if (attacks.length === 0 || notExposed === 0) return null;
  return (
    `${counted(notExposed, 'run')} with an injected instruction ` +
    `${notExposed === 1 ? 'was' : 'were'} not exposed to it and ` +
    `${notExposed === 1 ? 'is' : 'are'} in no rate of attacks.`
  );
}

/** What ran: the mode, and which tools were executed on servers. */
export function executionText({ evaluation, executed }: TaskReport): string {
  const { mode, models } = evaluation.settings;
  const { label, meaning } = modeTexts[mode];
  const calls = executed.reduce((sum, tool) => sum + tool.calls, 0);
  const destructive = executed.filter((tool) => tool.destructive).length;
  const what =
    calls === 0
      ? 'No call was executed.'
      : `${counted(calls, 'call')} of ${counted(executed.length, 'tool')} were executed` +
        (destructive === 0
          ? '.'
          : `, ${formatCount(destructive)} of them destructive according to the server.`);
  const replayed = models.every(({ provider }) => provider === 'replay')
    ? ' The runs come from a recording, so nothing was executed now.'
    : '';
  const how = mode === 'stub' ? 'Stub results answer the calls.' : meaning;
  return `Execution mode ${label}: ${how} ${what}${unansweredText(executed)}${replayed}`;
}
