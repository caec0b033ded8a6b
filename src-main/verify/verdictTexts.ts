import { noTool } from './evaluationRows.ts';

/**
 * The sentences of docs/rules.md §3, Verdict, composed a second time from numbers that were counted
 * again.
 */
export const whole = (n: number): string => Math.round(n).toLocaleString('en-US');

export const countedText = (n: number, one: string, several = `${one}s`): string =>
  `${whole(n)} ${n === 1 ? one : several}`;

/** `64%`; a rate just below 1 or just above 0 never reads as one of them. */
function percent(rate: number | null): string {
  if (rate === null) return '–';
  if (rate < 1 && rate > 0.995) return '>99%';
  return rate > 0 && rate < 0.005 ? '<1%' : `${(100 * rate).toFixed(0)}%`;
}

/** Rounded outward: `(95% CI 51–75%)`. */
function intervalText(low: number | null, high: number | null): string {
  if (low === null || high === null) return '';
  const down = Math.max(0, Math.floor(low * 100 + 1e-9));
  const up = Math.min(100, Math.ceil(high * 100 - 1e-9));
  return `(95% CI ${down}–${up}%)`;
}

const labels = {
  wrong_tool: 'wrong tool',
  no_tool_called: 'no tool called',
  missing_call: 'missing call',
  wrong_arguments: 'wrong arguments',
  unneeded_call: 'unneeded call',
  made_up_tool: 'tool not offered',
} as const;
type Failure = keyof typeof labels;

export interface Verdict {
  unit: 'case' | 'run';
  passed: number;
  scored: number;
  notScored: number;
  notRun: number;
  rate: { value: number | null; low: number | null; high: number | null };
  failures: Readonly<Record<Failure, number>>;
}

export function headlineOf({ unit, passed, scored }: Verdict): string {
  if (scored === 0) return `No ${unit} was scored`;
  return passed === scored && scored > 1
    ? `All ${countedText(scored, unit)} passed`
    : `${whole(passed)} of ${countedText(scored, unit)} passed`;
}

/** How many passed, what failed, most first, and what has no answer. */
export function countLines(verdict: Verdict): string[] {
  const { passed, scored, notScored, notRun, rate, failures } = verdict;
  const kinds = (Object.keys(labels) as Failure[])
    .filter((kind) => failures[kind] > 0 || kind === 'wrong_arguments')
    .sort((a, b) => failures[b] - failures[a]);
  const failed = kinds.map((kind) => `${whole(failures[kind])} ${labels[kind]}`).join(' · ');
  const open = [
    ...(notScored > 0 ? [`${whole(notScored)} not scored`] : []),
    ...(notRun > 0 ? [`${whole(notRun)} not run`] : []),
  ];
  const opening = [headlineOf(verdict), percent(rate.value), intervalText(rate.low, rate.high)];
  return [
    opening.filter((part) => part !== '').join('  '),
    ...(scored > passed ? [`${whole(scored - passed)} failed: ${failed}`] : []),
    ...(open.length > 0 ? [open.join(', ')] : []),
  ];
}

export interface Cause {
  outcome: Failure;
  expected: string;
  called: string;
  runs: number;
}

/** A client, and the ids of the tools that it hides. */
export interface HiddenByClient {
  name: string;
  tools: ReadonlySet<string>;
}

/** The first cause, up to the words that descriptions lack. Tools carry their server, or not. */
export function causeLine(
  causes: readonly Cause[],
  unit: 'case' | 'run',
  withServer: boolean,
  client: HiddenByClient | null = null,
): string | null {
  const [first, second] = causes;
  if (!first) return null;
  const label =
    second?.runs !== first.runs
      ? 'Biggest cause'
      : first.runs === 1
        ? `One of ${whole(causes.length)} causes`
        : 'Among the biggest causes';
  const name = (id: string): string =>
    withServer || id.startsWith('(')
      ? id.replace(/^\(no tool\)$/, 'no tool').replace(/^\(phantom\)$/, 'tool not offered')
      : id
          .split(' | ')
          .map((each) => each.slice(each.indexOf(':') + 1))
          .join(' | ');
  const [expected, called] = [name(first.expected), name(first.called)];
  const where = `in ${countedText(first.runs, unit)}`;
  if (client?.tools.has(first.expected) === true)
    return `${label}: ${expected} is hidden by ${client.name} ${where}.`;
  const need = first.runs === 1 ? 'that needs' : 'that need';
  const none = first.expected === noTool;
  const sentences: Record<Failure, string> = {
    wrong_tool: `${called} was called instead of ${expected} ${where}`,
    no_tool_called: `${expected} was not called ${where}`,
    missing_call: `${expected} was left out ${where} ${need} several calls`,
    wrong_arguments: `${expected} was called with wrong arguments ${where}`,
    unneeded_call: none
      ? `${called} was called ${where} ${need} no such call`
      : `${called} was called in addition to ${expected} ${where}`,
    made_up_tool: none
      ? `A tool that was not offered was called ${where}`
      : `A tool that was not offered was called instead of ${expected} ${where}`,
  };
  return `${label}: ${sentences[first.outcome]}.`;
}
