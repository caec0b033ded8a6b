import { shortModelName } from './shortModelName.ts';
import {
  counted,
  formatCount,
  formatPercent,
  formatPoints,
  formatPValue,
  namedInterval,
  NOT_DEFINED,
  noun,
} from './numbers.ts';
import { NO_TOOL, PHANTOM, splitToolId } from '../domain/labels.ts';
import { toolOfCause } from '../metrics/toolsToFix.ts';
import type { EvaluationUnit } from '../domain/gate.ts';
import type { Estimate } from '../domain/metrics.ts';
import {
  failureOutcomes,
  type FailureOutcome,
  type Outcome,
  type OutcomeCounts,
} from '../domain/outcome.ts';
import type { CauseGroup, PreviousChange, Verdict, VsBest } from '../domain/verdict.ts';
import { outcomeTexts } from './outcomeTexts.ts';

export type { OutcomeCounts, PreviousChange, Verdict };
export type Rate = Pick<Estimate, 'value' | 'low' | 'high'>;

/** A sentence whose `code` parts are names to set in monospace. */
export type RichText = readonly (string | { code: string })[];

/** How a name is set apart in a sentence: a code span in Markdown, nothing in plain text. */
export type QuoteName = (name: string) => string;

const same: QuoteName = (name) => name;

/** A sentence as plain text, with each name passed through `quote`. */
export function plainText(text: RichText, quote: QuoteName = same): string {
  return text.map((part) => (typeof part === 'string' ? part : quote(part.code))).join('');
}

/** A run counts as scored if it passed or failed; trouble and missing runs don't. */
export function scoredOf(counts: OutcomeCounts): number {
  return counts.passed + failedOf(counts);
}

export function failedOf(counts: OutcomeCounts): number {
  return failureOutcomes.reduce((sum, each) => sum + counts[each], 0);
}

/**
 * How a label of the matrix reads: the tool's name, with its server where several servers appear.
 */
export function toolText(label: string, severalServers: boolean): string {
  if (label === NO_TOOL) return 'no tool';
  if (label === PHANTOM) return 'tool not offered';
  if (severalServers) return label;
  return label
    .split(' | ')
    .map((each) => splitToolId(each).tool)
    .join(' | ');
}

/** The headline: `39 of 61 cases passed`; while runs are still to come, `… passed so far`. */
export function headlineOf(
  { counts, unit }: Pick<Verdict, 'counts' | 'unit'>,
  soFar = false,
): string {
  const scored = scoredOf(counts);
  const one = unit === 'cases' ? 'case' : 'run';
  const when = soFar ? ' so far' : '';
  if (scored === 0) return soFar ? `No ${one} is scored yet` : `No ${one} was scored`;
  if (counts.passed === scored && scored > 1) return `All ${counted(scored, one)} passed${when}`;
  return `${formatCount(counts.passed)} of ${counted(scored, one)} passed${when}`;
}

/** The rate with its interval: `64%` and `95% CI 51–75%`; the interval is empty if undefined. */
export function rateOf({ passRate }: Pick<Verdict, 'passRate'>): {
  rate: string;
  interval: string;
} {
  return { rate: formatPercent(passRate.value), interval: namedInterval(passRate) };
}

export interface FailurePart {
  outcome: FailureOutcome;
  count: number;
  label: string;
}

/**
 * The failures by outcome, the most frequent first. Wrong arguments stay in the list when there are
 * none: "the tool is right, but what about its arguments?" is always asked.
 */
export function failureParts(counts: OutcomeCounts): FailurePart[] {
  return failureOutcomes
    .map((outcome) => ({ outcome, count: counts[outcome], label: outcomeTexts[outcome].label }))
    .filter(({ outcome, count }) => count > 0 || outcome === 'wrong_arguments')
    .sort((a, b) => b.count - a.count);
}

/** The outcomes that occur, as a bar shows them: passed, failures by count, then the rest. */
export function outcomesInOrder(counts: OutcomeCounts): { outcome: Outcome; count: number }[] {
  return [
    { outcome: 'passed' as const, count: counts.passed },
    ...failureParts(counts).map(({ outcome, count }) => ({ outcome, count })),
    { outcome: 'not_scored' as const, count: counts.not_scored },
    { outcome: 'not_run' as const, count: counts.not_run },
  ].filter(({ count }) => count > 0);
}

/**
 * The runs without an answer, in words: `2 not scored, 5 not run`; while runs are still to come,
 * `2 not scored, 5 to go`. Empty if there are none.
 */
export function withoutAnswer(counts: OutcomeCounts, soFar = false): string {
  return (['not_scored', 'not_run'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => {
      const label = soFar && outcome === 'not_run' ? 'to go' : outcomeTexts[outcome].label;
      return `${formatCount(counts[outcome])} ${label}`;
    })
    .join(', ');
}

/** A cause as a heading: `add_task → no tool called`. */
export function causeTitle(
  cause: Pick<CauseGroup, 'outcome' | 'expected' | 'called' | 'hiddenBy'>,
  severalServers: boolean,
): RichText {
  const name = (label: string) =>
    label === NO_TOOL || label === PHANTOM
      ? toolText(label, severalServers)
      : { code: toolText(label, severalServers) };
  if (cause.hiddenBy !== undefined) return [name(cause.expected), ` → hidden by ${cause.hiddenBy}`];
  switch (cause.outcome) {
    case 'no_tool_called':
      return [name(cause.expected), ' → no tool called'];
    case 'missing_call':
      return [name(cause.expected), ' → call missing'];
    case 'wrong_arguments':
      return [name(cause.expected), ' → wrong arguments'];
    default:
      return [name(cause.expected), ' → ', name(cause.called)];
  }
}

/**
 * A cause as a sentence without its end: "`add_task` was not called in 4 cases". `where` replaces
 * its count: "in 6 cases with one model and 9 with the other".
 */
export function causeSentence(
  cause: CauseGroup,
  { unit, severalServers }: Pick<Verdict, 'unit' | 'severalServers'>,
  where = `in ${counted(cause.runs, unit === 'cases' ? 'case' : 'run')}`,
): RichText {
  const expected = { code: toolText(cause.expected, severalServers) };
  const called = { code: toolText(cause.called, severalServers) };
  const need = cause.runs === 1 ? 'that needs' : 'that need';
  if (cause.hiddenBy !== undefined) return [expected, ` is hidden by ${cause.hiddenBy} ${where}`];
  switch (cause.outcome) {
    case 'wrong_tool':
      return [called, ' was called instead of ', expected, ` ${where}`];
    case 'no_tool_called':
      return [expected, ` was not called ${where}`];
    case 'missing_call':
      return [expected, ` was left out ${where} ${need} several calls`];
    case 'wrong_arguments':
      return [expected, ` was called with wrong arguments ${where}`];
    case 'unneeded_call':
      return cause.expected === NO_TOOL
        ? [called, ` was called ${where} ${need} no such call`]
        : [called, ` was called in addition to `, expected, ` ${where}`];
    case 'made_up_tool':
      return cause.expected === NO_TOOL
        ? [`A tool that was not offered was called ${where}`]
        : ['A tool that was not offered was called instead of ', expected, ` ${where}`];
  }
}

/** Words in quotation marks, as a list: `“put”, “email”, and “away”`. */
export function quoted(words: readonly string[]): string {
  const marked = words.map((word) => `“${word}”`);
  const last = marked.pop() ?? '';
  if (marked.length === 0) return last;
  return `${marked.join(', ')}${marked.length > 1 ? ',' : ''} and ${last}`;
}

/** What the first cause is among all, the most frequent first. None is big if each has one run. */
export function causeLabel(causes: readonly { runs: number }[]): string {
  const [first, second] = causes;
  if (second === undefined || second.runs !== first?.runs) return 'Biggest cause';
  return first.runs === 1
    ? `One of ${formatCount(causes.length)} causes`
    : 'Among the biggest causes';
}

/**
 * The biggest cause in one or two sentences, with the tool whose definition is to be fixed. The
 * label says when another cause is as big. Null if nothing failed.
 */
export function biggestCause(
  verdict: Pick<Verdict, 'causes' | 'missingWords' | 'unit' | 'severalServers'>,
  where?: string,
): { label: string; text: RichText; tool: string | null } | null {
  const [first] = verdict.causes;
  if (!first) return null;
  const label = causeLabel(verdict.causes);
  const sentence = [...causeSentence(first, verdict, where), '.'];
  const tool = toolOfCause(first);
  const words = verdict.missingWords;
  const why: RichText =
    words.length > 0 && first.expected !== NO_TOOL
      ? [
          ` Requests say ${quoted(words)}, but the description of `,
          { code: toolText(first.expected, verdict.severalServers) },
          ' doesn’t.',
        ]
      : [];
  return { label, text: [...sentence, ...why], tool };
}

/** The change of one model since a result: `gpt-5-mini vs. #4:` `+3` ` of 20 shared cases, within noise`. */
export function previousText(
  { passedDifference: n, number, withinNoise, fixed, broken, sharedCases, model }: PreviousChange,
  unit: EvaluationUnit = 'case',
): { what: string; change: string; rest: string } {
  const change =
    n !== 0
      ? `${n > 0 ? '+' : '−'}${formatCount(Math.abs(n))}`
      : fixed + broken === 0
        ? withinNoise
          ? 'no change'
          : 'pass shares differ'
        : `${formatCount(fixed)} fixed, ${formatCount(broken)} broken`;
  return {
    what: `${model === null ? '' : `${shortModelName(model, [])} `}vs. #${number}:`,
    change,
    rest: ` ${n === 0 ? 'over' : 'of'} ${counted(sharedCases, `shared ${unit}`)}${withinNoise && fixed + broken > 0 ? ', within noise' : ''}`,
  };
}

/**
 * The change since the previous evaluation, over the cases that both share: `+3 cases vs. previous
 * (#13) over 40 shared cases, within noise`. With several models it says which one.
 */
export function changeText(
  { previous }: Pick<Verdict, 'previous'>,
  unit: EvaluationUnit = 'case',
): { change: string; rest: string } | null {
  if (!previous) return null;
  const { passedDifference: n, number, withinNoise, fixed, broken, sharedCases, model } = previous;
  const which =
    `previous (#${number}${model === null ? '' : `, ${shortModelName(model, [])}`}) over ` +
    counted(sharedCases, `shared ${unit}`);
  const noise = withinNoise ? ', within noise' : '';
  if (fixed + broken === 0)
    return {
      change: '',
      rest: withinNoise ? `Same as ${which}` : `Pass shares differ from ${which}`,
    };
  if (n === 0)
    return {
      change: `${formatCount(fixed)} fixed, ${formatCount(broken)} broken`,
      rest: `vs. ${which}${noise}`,
    };
  return {
    change: `${n > 0 ? '+' : '−'}${formatCount(Math.abs(n))}`,
    rest: `${noun(Math.abs(n), unit)} vs. ${which}${noise}`,
  };
}

/** A model against the best of its evaluation: `−12.5 points [−24.1 to −2.0], worse (p 0.012, n 40)`. */
export function vsBestText(against: VsBest | null): string {
  if (against === null) return NOT_DEFINED;
  const { difference, adjustedP, answer, sharedCases } = against;
  if (difference === null || adjustedP === null) return 'not comparable';
  return (
    `${formatPoints(difference.value)} points [${formatPoints(difference.low)} to ` +
    `${formatPoints(difference.high)}], ${answer === 'cannot tell' ? 'within noise' : answer} ` +
    `(p ${formatPValue(adjustedP)}, n ${formatCount(sharedCases)})`
  );
}

/** How many passed, what failed and what has no answer, as lines of plain text. */
export function countLines({
  counts,
  unit,
  passRate,
}: Pick<Verdict, 'counts' | 'unit' | 'passRate'>): string[] {
  const { rate, interval } = rateOf({ passRate });
  const failed = failedOf(counts);
  const parts = failureParts(counts)
    .map(({ count, label }) => `${formatCount(count)} ${label}`)
    .join(' · ');
  return [
    [headlineOf({ counts, unit }), rate, interval === '' ? '' : `(${interval})`]
      .filter(Boolean)
      .join('  '),
    failed > 0 ? `${formatCount(failed)} failed: ${parts}` : '',
    withoutAnswer(counts),
  ].filter(Boolean);
}

/**
 * The whole verdict as lines of plain text, for the command line and for reports. Names come from
 * servers, so a format with markup passes them through its escaping.
 */
export function verdictLines(verdict: Verdict, quote: QuoteName = same): string[] {
  const cause = biggestCause(verdict);
  const change = changeText(verdict);
  return [
    ...countLines(verdict),
    cause ? `${cause.label}: ${plainText(cause.text, quote)}` : '',
    change ? [change.change, change.rest].filter(Boolean).join(' ') : '',
  ].filter(Boolean);
}
