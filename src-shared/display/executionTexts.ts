import { onFirstUse } from '../domain/onFirstUse.ts';
import { counted, formatCount } from './numbers.ts';
import type { ExecutionMode } from '../domain/task.ts';
import type { ExecutionPlan } from '../domain/taskEvaluation.ts';

/** What an execution mode executes. Its label is its value on the command line and in files. */
export const modeTexts: Readonly<
  Record<ExecutionMode, { label: string; title: string; meaning: string }>
> = {
  stub: {
    label: 'stub',
    title: 'Stub',
    meaning: 'No tool is executed. Stub results answer the calls.',
  },
  'read-only': {
    label: 'read-only',
    title: 'Read-only',
    meaning: 'Only tools that their server marks as read-only are executed.',
  },
  full: {
    label: 'full',
    title: 'Full',
    meaning: 'Every tool that the model calls is executed.',
  },
};

/** How many tasks can be scored only after tools were executed: "16 of 20 tasks need execution." */
export function executionNeedText({
  taskCount,
  executedTaskCount,
}: {
  taskCount: number;
  executedTaskCount: number;
}): string {
  if (executedTaskCount === 0) return 'No task needs execution: no check reads a server.';
  const need = executedTaskCount === 1 ? 'needs' : 'need';
  return `${formatCount(executedTaskCount)} of ${counted(taskCount, 'task')} ${need} execution, because a check reads what was changed.`;
}

/**
 * Whether runs change data on servers, on which ones, and what is thrown away: what a person wants
 * to know before they start, and which tools fail on purpose. `isReal` is true if data can change that
 * isn't thrown away.
 */
export function dataText(plan: ExecutionPlan, replays = false): { text: string; isReal: boolean } {
  if (replays) return { text: 'No data changes: the runs come from a recording.', isReal: false };
  const { text, isReal } = changedData(plan);
  const { faults = [] } = plan;
  return {
    text:
      faults.length === 0 ? text : `${text} On purpose, ${list().format(faults)} will go wrong.`,
    isReal,
  };
}

function changedData({ mode, servers, executes, unlisted, isolated }: ExecutionPlan): {
  text: string;
  isReal: boolean;
} {
  if (mode === 'stub') return { text: 'No data changes: no tool is executed.', isReal: false };
  const thrownAway = servers.filter((server) => isolated.includes(server));
  const kept = servers.filter((server) => !isolated.includes(server));
  const real = kept.filter(
    (server) =>
      mode === 'full' &&
      (unlisted.includes(server) ||
        executes.some((tool) => tool.server === server && !tool.readOnly)),
  );
  const copies =
    thrownAway.length === 0
      ? ''
      : `each run works on a throwaway copy of ${thrownAway.join(', ')}.`;
  if (real.length > 0)
    return {
      text: `Real data on ${real.join(', ')} can change.${copies === '' ? '' : ` ${capitalized(copies)}`}`,
      isReal: true,
    };
  if (kept.length === 0) return { text: `No real data changes: ${copies}`, isReal: false };
  return {
    text:
      `No data changes on ${kept.join(', ')} as long as tools marked as read-only change nothing.` +
      (copies === '' ? '' : ` ${capitalized(copies)}`),
    isReal: false,
  };
}

const list = onFirstUse(() => new Intl.ListFormat('en-US'));

export const capitalized = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The tools that a plan may execute, counted by server, with the names of destructive ones. */
export function executedByServer({
  servers,
  executes,
  unlisted,
}: Pick<ExecutionPlan, 'servers' | 'executes' | 'unlisted'>): {
  server: string;
  tools: number;
  destructive: string[];
}[] {
  return servers
    .filter((server) => !unlisted.includes(server))
    .map((server) => {
      const own = executes.filter((tool) => tool.server === server);
      return {
        server,
        tools: own.length,
        destructive: own.filter((tool) => tool.destructive).map(({ tool }) => tool),
      };
    });
}

export const programsText = (programs: readonly string[]): string =>
  `The suite starts ${counted(programs.length, 'program')} on this computer: ${programs.join('; ')}.`;

/** What a person agrees to before every tool is executed, or programs are started. */
export function consentText({
  mode,
  servers,
  executes,
  isolated,
  programs,
}: Pick<ExecutionPlan, 'mode' | 'servers' | 'executes' | 'isolated' | 'programs'>): string {
  const started =
    programs.length === 0
      ? ''
      : `${counted(programs.length, 'program')} of the suite may be started`;
  if (mode !== 'full') return `I agree that ${started}.`;
  const destructive = executes.filter((tool) => tool.destructive).length;
  const copies = servers.every((server) => isolated.includes(server)) ? 'the copies of ' : '';
  return (
    `I agree that ${started === '' ? '' : `${started}, and that `}every tool of ${copies}${servers.join(', ')} may be executed` +
    (destructive === 0 ? '.' : `, including ${counted(destructive, 'destructive tool')}.`)
  );
}

/** What a reading for a check executes, and whether that changes data. */
export const readingText = (plan: ExecutionPlan): string =>
  `This executes ${list().format(plan.executes.map(({ tool }) => tool))} of ${list().format(plan.servers)}. ${dataText(plan).text}`;

/** What a person agrees to before tools are executed that are not all read-only. */
export function readingConsent({ executes, servers, isolated }: ExecutionPlan): string {
  const copies = servers.every((server) => isolated.includes(server)) ? 'a copy of ' : '';
  return `I agree that ${list().format(executes.map(({ tool }) => tool))} of ${copies}${list().format(servers)} may be executed.`;
}

/** What a plan executes, by server, and whether that changes data. */
export function executedText(plan: ExecutionPlan): string {
  const { mode, servers, executes, unlisted } = plan;
  const { text } = dataText(plan);
  if (mode === 'stub') return text;
  if (mode === 'read-only')
    return `It executes ${counted(executes.length, 'read-only tool')} of ${servers.join(', ')}. ${text}`;
  const names = executes
    .filter((tool) => tool.destructive)
    .map(({ server, tool }) => `${server}:${tool}`);
  return (
    `It executes every tool that a model calls on ${servers.join(', ')}` +
    (names.length === 0 ? '.' : `, also destructive ones: ${names.join(', ')}.`) +
    (unlisted.length === 0 ? '' : ` The tools of ${unlisted.join(', ')} are not known yet.`) +
    ` ${text}`
  );
}
