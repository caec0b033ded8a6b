import { counted, formatCount, formatPercent, formatPercentInterval } from './numbers.ts';
import type { CallAnswer, ExecutionMode, TaskOutcome } from '../domain/task.ts';
import type { TaskOutcomeCounts, TaskFailure } from '../domain/taskEvaluation.ts';
import type { TaskReport } from '../domain/taskReport.ts';

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
    label: 'check failed',
    title: 'Check failed',
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
    meaning: 'The reply was empty, was cut off, or ended for an unknown reason.',
  },
  not_scored: {
    glyph: '−',
    label: 'not scored',
    title: 'Not scored',
    meaning: 'A server, the provider, or the mode kept the run from being judged.',
  },
  not_run: {
    glyph: '·',
    label: 'not run',
    title: 'Not run',
    meaning: 'The evaluation ended before this run did.',
  },
};

/** What a mode executes, as a sentence. */
export const modeTexts: Readonly<Record<ExecutionMode, { label: string; meaning: string }>> = {
  stub: { label: 'stub', meaning: 'No tool is executed. Stub results answer the calls.' },
  'read-only': {
    label: 'read-only',
    meaning: 'Only tools that their server marks as read-only are executed.',
  },
  full: { label: 'full', meaning: 'Every tool that the model calls is executed.' },
};

/** Where the result of a call came from. */
export const callAnswerTexts: Readonly<Record<CallAnswer, { label: string; meaning: string }>> = {
  executed: { label: 'executed', meaning: 'The server executed the call.' },
  stubbed: { label: 'stub result', meaning: 'A stub result of the task answered the call.' },
  not_executed: { label: 'not executed', meaning: 'The mode doesn’t execute this tool.' },
  not_offered: {
    label: 'not offered',
    meaning: 'The model called a tool that it was not offered.',
  },
  unreadable_arguments: {
    label: 'not executed: unreadable arguments',
    meaning: 'The arguments of the call are not a JSON object.',
  },
};

/** Why a run is not scored. */
export const taskFailureTexts: Readonly<Record<TaskFailure, string>> = {
  mode: 'the mode doesn’t execute a tool that the task needs',
  server: 'a server could not list its tools',
  environment: 'a server could not be started or reached',
  setup: 'the setup failed',
  model: 'the model’s service failed',
  tool: 'a server failed during a call',
  state: 'the state could not be read',
  interrupted: 'the program ended meanwhile',
  cancelled: 'cancelled',
  internal: 'a fault in Touchstone',
};

const failed = ['check_failed', 'limit', 'loop', 'refused', 'no_answer'] as const;

export function scoredTasks(counts: TaskOutcomeCounts): number {
  return counts.succeeded + failed.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** "14 of 20 tasks succeeded"; with repetitions or several models, runs are counted. */
export function taskHeadline(report: Pick<TaskReport, 'evaluation' | 'summary'>): string {
  const { settings, models, outcomes } = report.evaluation;
  const scored = scoredTasks(outcomes);
  if (scored === 0) return 'No run was scored';
  const unit = settings.repetitions === 1 && models.length === 1 ? 'task' : 'run';
  return `${formatCount(outcomes.succeeded)} of ${counted(scored, unit)} succeeded`;
}

/** "70% (95% CI 48–85%)" */
export function successText({ successRate }: TaskReport['summary']): string {
  const { value } = successRate;
  return value === null
    ? formatPercent(value)
    : `${formatPercent(value)} (95% CI ${formatPercentInterval(successRate.low, successRate.high)})`;
}

/** "6 failed: 4 check failed · 2 limit reached"; what is not scored or not run follows. */
export function failureLine(counts: TaskOutcomeCounts): string {
  const parts = failed.flatMap((outcome) =>
    counts[outcome] > 0
      ? [`${formatCount(counts[outcome])} ${taskOutcomeTexts[outcome].label}`]
      : [],
  );
  const total = failed.reduce((sum, outcome) => sum + counts[outcome], 0);
  const others = (['not_scored', 'not_run'] as const).flatMap((outcome) =>
    counts[outcome] > 0
      ? [`${formatCount(counts[outcome])} ${taskOutcomeTexts[outcome].label}`]
      : [],
  );
  const failures = total === 0 ? [] : [`${formatCount(total)} failed: ${parts.join(' · ')}`];
  return [...failures, ...others].join(' · ');
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
  return `Mode ${label}: ${meaning} ${what}${replayed}`;
}
