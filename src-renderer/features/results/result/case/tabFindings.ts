import type {
  ModelLatency,
  ParameterTally,
  RepeatedNumbers,
} from '../../../../../src-shared/domain/analysis.ts';
import type { Answer, PassedWhen } from '../../../../../src-shared/domain/comparison.ts';
import { unansweredText } from '../../../../../src-shared/display/spendTexts.ts';
import type { AnyOfRow, PerTool } from '../../../../../src-shared/domain/metrics.ts';
import type { RichText } from '../../../../../src-shared/display/verdictTexts.ts';
import {
  counted,
  formatCount,
  formatDuration,
  formatPercent,
  formatUsd,
  noun,
} from '../../../../../src-shared/display/numbers.ts';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { latencyEdges } from '../../../../../src-shared/metrics/latencyHistogram.ts';

interface TabFinding {
  text: RichText;
  note: RichText;
}

/** The row with the most of something; null if no row has any. */
function most<Row>(rows: readonly Row[], amount: (row: Row) => number): Row | null {
  const [first] = rows.toSorted((a, b) => amount(b) - amount(a));
  return first !== undefined && amount(first) > 0 ? first : null;
}

/** Calls that went to a tool, right or wrong. */
export const callsMade = (row: PerTool): number => row.tp + row.anyOf + row.fp;

/** Which tool is missed most, and which one is called wrongly most. */
export function toolsFinding(rows: readonly PerTool[], anyOf: readonly AnyOfRow[]): TabFinding {
  const missed = most(rows, ({ fn }) => fn);
  const wrong = most(rows, ({ fp }) => fp);
  const missedText: RichText = missed
    ? [
        { code: missed.toolId },
        ` is missed most: it got ${formatCount(missed.tp)} of ${counted(missed.tp + missed.fn, 'expected call')}.`,
      ]
    : [];
  const wrongText: RichText = wrong
    ? [
        { code: wrong.toolId },
        ` is called by mistake most: ${formatCount(wrong.fp)} of its ${counted(callsMade(wrong), 'call')}.`,
      ]
    : [];
  if (missed) return { text: missedText, note: wrongText };
  if (wrong) return { text: wrongText, note: ['No tool missed a call.'] };
  return anyOf.some(({ fn }) => fn > 0)
    ? { text: ['Only cases with several correct tools have missed calls.'], note: [] }
    : { text: ['Every call went to the expected tool.'], note: [] };
}

/** Expected values of a parameter that were wrong or not sent. */
export const mismatches = ({ n, matched }: Pick<ParameterTally, 'n' | 'matched'>): number =>
  n - matched;

/** How many expected arguments were wrong, and which parameter is wrong most. */
export function argumentsFinding(rows: readonly ParameterTally[]): TabFinding {
  const all = rows.reduce((sum, { n }) => sum + n, 0);
  const wrong = rows.reduce((sum, row) => sum + mismatches(row), 0);
  const invented = rows.reduce((sum, { hallucinated }) => sum + hallucinated, 0);
  const worst = most(rows, mismatches);
  const scope = 'Counts only calls of the expected tool.';
  const inventedText =
    invented === 0
      ? ''
      : `${counted(invented, 'argument')} ${noun(invented, 'is', 'are')} not in the tool’s schema. `;
  if (worst === null)
    return {
      text: [`All ${counted(all, 'expected argument')} matched.`],
      note: [`${inventedText}${scope}`],
    };
  return {
    text: [
      `${formatCount(wrong)} of ${counted(all, 'expected argument')} ${noun(wrong, 'was', 'were')} wrong or missing, most often `,
      { code: worst.name },
      ' of ',
      { code: worst.toolId },
      ` (${formatCount(mismatches(worst))} of ${formatCount(worst.n)}).`,
    ],
    note: [`${inventedText}${scope}`],
  };
}

const repeatedWords: Record<PassedWhen, Record<'always' | 'flaky' | 'passes', string>> = {
  selection_and_parameters: {
    always: 'always passed or always failed',
    flaky: 'passed in some repetitions, failed in others',
    passes: 'passes',
  },
  selection: {
    always: 'always called the right tools or never did',
    flaky: 'called the right tools in some repetitions, not in others',
    passes: 'has the right tools',
  },
};

/**
 * How many cases are flaky, and how often cases pass at least once and every time, or have the right
 * tools.
 */
export function repetitionsFinding(
  { flakyTotal, repeatedCases, passRates }: Omit<RepeatedNumbers, 'repetitions' | 'flaky'>,
  when: PassedWhen,
): TabFinding {
  const last = passRates.at(-1);
  const words = repeatedWords[when];
  return {
    text: [
      flakyTotal === 0
        ? `None of ${counted(repeatedCases, 'repeated case')} is flaky: each one ${words.always}.`
        : `${formatCount(flakyTotal)} of ${counted(repeatedCases, 'repeated case')} ${noun(flakyTotal, 'is', 'are')} flaky: ${words.flaky}.`,
    ],
    note: last
      ? [
          `In ${counted(last.k, 'repetition')}, a case ${words.passes} at least once with a chance of ${formatPercent(last.passAtK)} and every time with ${formatPercent(last.passAllK)}.`,
        ]
      : [],
  };
}

/** What the answers cost, and for how many tokens. How long they took is the finding of a chart. */
export function costFinding(
  props: Pick<ResultNumbers, 'costUsd' | 'tokens' | 'unansweredRequests'>,
): TabFinding {
  const { costUsd, tokens, unansweredRequests } = props;
  const more = unansweredText(unansweredRequests);
  const unknown = more === null ? [] : [`${more}.`];
  if (tokens?.input == null)
    return {
      text: [
        costUsd === null
          ? 'No tokens were reported, so there is no cost to show.'
          : `Nothing was scored, and the requests cost ${formatUsd(costUsd)}.`,
      ],
      note: unknown,
    };
  const used =
    counted(tokens.input, 'input token') +
    (tokens.output === null ? '' : ` and ${counted(tokens.output, 'output token')}`);
  return costUsd === null
    ? {
        text: [`The answers used ${used}.`],
        note: ['Their cost is unknown: a price or a count is missing.', ...unknown],
      }
    : { text: [`The answers cost ${formatUsd(costUsd)}: ${used}.`], note: unknown };
}

interface Rate {
  name: string;
  value: number;
  /** What the paired test says of it against the best one; absent: the two were not tested. */
  vsBest?: Answer | undefined;
}

/**
 * Which side passes more, and whether the paired test can tell it from the next one. Overlapping
 * intervals say nothing about that: both sides ran the same cases.
 */
export function passRateFinding(
  rates: readonly Rate[],
  rateName: 'Pass rate' | 'Success rate' = 'Pass rate',
): string {
  const verb = rateName === 'Success rate' ? 'succeed' : 'pass';
  const [best, second] = rates.toSorted((a, b) => b.value - a.value);
  if (!best || !second) return rateName;
  const both = `${formatPercent(best.value)} vs. ${formatPercent(second.value)}`;
  if (best.value === second.value) return `${best.name} and ${second.name} ${verb} equally often`;
  const noise = second.vsBest === 'cannot tell' ? ', within noise' : '';
  return `${best.name} ${verb === 'pass' ? 'passes' : 'succeeds'} most: ${both}${noise}`;
}

/** p50 and p95 as a sentence; with several models, the one with the lowest median. */
export function latencyFinding(
  models: readonly Pick<ModelLatency, 'modelSettingsId' | 'p50' | 'p95'>[],
  nameOf: (modelSettingsId: string) => string,
): string {
  const [fastest] = models.toSorted((a, b) => (a.p50 ?? Infinity) - (b.p50 ?? Infinity));
  if (!fastest) return 'No answer was timed';
  const times = `p50 ${formatDuration(fastest.p50)}, p95 ${formatDuration(fastest.p95)}`;
  return models.length === 1
    ? `Half of the answers took ${formatDuration(fastest.p50)} or less, 95% took ${formatDuration(fastest.p95)} or less`
    : `${nameOf(fastest.modelSettingsId)} is the fastest (${times})`;
}

/** A bin edge: `500 ms`, `2 s`, `1 min`. */
function edgeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${formatCount(milliseconds)} ms`;
  return `${formatCount(milliseconds / 1000)} s`;
}

/** The bins from the first to the last one with a value, with their labels. */
export function shownBins(
  models: readonly Pick<ModelLatency, 'counts'>[],
): { at: number; label: string }[] {
  const filled = latencyEdges.flatMap((_, at) =>
    models.some(({ counts }) => (counts[at] ?? 0) > 0) ? [at] : [],
  );
  const [first, last] = [filled[0], filled.at(-1)];
  if (first === undefined || last === undefined) return [];
  return latencyEdges.slice(first, last + 1).map((from, index) => {
    const at = first + index;
    const to = latencyEdges[at + 1];
    if (to === undefined) return { at, label: `${edgeText(from)} or more` };
    if (from === 0) return { at, label: `under ${edgeText(to)}` };
    const sameUnit = from >= 1000 || to < 1000;
    const start = sameUnit ? edgeText(from).split(' ')[0] : edgeText(from);
    return { at, label: `${start ?? ''}–${edgeText(to)}` };
  });
}
