import { failureTexts } from '../domain/failureTexts.ts';
import type { ComparedCase } from '../domain/comparison.ts';
import { isBetterLow, type GateOutcome } from '../domain/gate.ts';
import type {
  Judgement,
  JudgedComparison,
  JudgedMetric,
  JudgedThreshold,
  JudgementResult,
  UnscoredGroup,
} from '../domain/judgement.ts';
import { minIntervalCases } from '../metrics/clusteredInterval.ts';
import { describeAnswer, sideName } from './comparisonAnswer.ts';
import { counted, formatCount, formatExact } from './numbers.ts';
import { taskFailureTexts } from './taskTexts.ts';
import type { QuoteName } from './verdictTexts.ts';

/** The result in one or two words, which open every report. */
export const judgementHeadlines: Readonly<Record<JudgementResult, string>> = {
  passed: 'Check passed',
  failed: 'Check failed',
  incomplete: 'No verdict',
};

export const gateOutcomeTexts: Readonly<Record<GateOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  not_decided: 'not decided',
};

/** A metric, or a bound of its interval: `selection_f1.low, the low end of its 95% interval,`. */
const metricName = ({ threshold: { metric, bound } }: JudgedThreshold): string =>
  bound === 'value' ? metric : `${metric}.${bound}, the ${bound} end of its 95% interval,`;

const ofModel = (model: string | null, text: string, quote: QuoteName): string =>
  model === null ? text : `${quote(model)}: ${text}`;
const same: QuoteName = (name) => name;

export function thresholdText(judged: JudgedThreshold, quote = same): string {
  const { threshold, value, outcome, model } = judged;
  const name = metricName(judged);
  if (outcome === 'not_decided') {
    const reason =
      threshold.bound === 'value'
        ? ''
        : `: an interval needs at least ${minIntervalCases} cases or tasks`;
    return ofModel(model, `${name} is not defined${reason}`, quote);
  }
  const isMinimum = threshold.side === 'min';
  const relation =
    outcome === 'failed'
      ? `, ${isMinimum ? 'below' : 'above'} ${threshold.limit}`
      : ` (${isMinimum ? 'minimum' : 'maximum'} ${threshold.limit})`;
  return ofModel(model, `${name} is ${formatExact(value)}${relation}`, quote);
}

export function metricText(
  { model, metric, baseline, value, tolerance, outcome }: JudgedMetric,
  quote = same,
): string {
  if (outcome === 'not_decided')
    return ofModel(
      model,
      `${metric} is not defined in ${baseline === null ? 'the baseline' : 'the report'}`,
      quote,
    );
  const change = `${metric} went from ${formatExact(baseline)} to ${formatExact(value)}`;
  return ofModel(
    model,
    outcome === 'failed'
      ? `${metric} ${isBetterLow(metric) ? 'rose' : 'fell'} from ${formatExact(baseline)} to ${formatExact(value)}, by more than ${tolerance}`
      : `${change}, within the tolerance of ${tolerance}`,
    quote,
  );
}

/** What the comparison of a model with its baseline says, without the cases. */
export function comparisonLine(
  { baseline, candidate, byTest }: JudgedComparison,
  maxBroken: number | null,
  quote = same,
): string {
  const broken = candidate.regressed.length;
  const tooMany =
    maxBroken !== null && broken > maxBroken
      ? `${counted(broken, `broken ${candidate.unit}`)}, and ${formatCount(maxBroken)} allowed. `
      : '';
  const answer = byTest
    ? describeAnswer(candidate)
    : `${formatCount(broken)} broken, ${formatCount(candidate.fixed.length)} fixed.`;
  return `${quote(candidate.model)} vs. ${quote(sideName(baseline))}: ${tooMany}${answer}`;
}

/** Why a run has no score, of cases and of tasks. */
export const causeTexts = {
  ...taskFailureTexts,
  ...failureTexts,
  schema: 'the schema can’t decide whether the arguments are right',
};

/** Why runs have no score: `The model’s service failed: HTTP 500 (59 runs)`. */
export function unscoredText({ failure, message, runs }: UnscoredGroup, quote = same): string {
  const cause =
    failure === null ? 'not started, because the evaluation ended' : causeTexts[failure];
  const addsNothing = message === null || message === '' || message === cause;
  const text = addsNothing ? cause : `${cause}: ${quote(message)}`;
  return `${text} (${counted(runs, 'run')})`;
}

/** The reasons of one kind of outcome, one sentence each. */
function reasonsOf(
  { thresholds, baseline }: Judgement,
  wanted: GateOutcome,
  quote = same,
): string[] {
  const is = ({ outcome }: { outcome: GateOutcome }) => outcome === wanted;
  return [
    ...thresholds.filter(is).map((one) => thresholdText(one, quote)),
    ...(baseline?.comparisons ?? [])
      .filter(is)
      .map((one) => comparisonLine(one, baseline?.maxBroken ?? null, quote)),
    ...(baseline?.metrics ?? []).filter(is).map((one) => metricText(one, quote)),
  ];
}

export const failedReasons = (judgement: Judgement, quote = same): string[] =>
  reasonsOf(judgement, 'failed', quote);

/** Why there is no verdict; runs without a score come first. */
export function undecidedReasons(judgement: Judgement, quote = same): string[] {
  const { unscoredRuns, allowFailed } = judgement;
  const unscored =
    unscoredRuns > allowFailed
      ? [
          `${counted(unscoredRuns, 'run is', 'runs are')} not scored` +
            (allowFailed > 0 ? `, and ${formatCount(allowFailed)} may be` : ''),
        ]
      : [];
  return [...unscored, ...reasonsOf(judgement, 'not_decided', quote)];
}

/** False if nothing was asked of the result, and nothing kept it from being complete. */
export const isWorthShowing = (judgement: Judgement): boolean =>
  judgement.result !== 'passed' ||
  judgement.thresholds.length > 0 ||
  judgement.allowFailed > 0 ||
  (judgement.baseline ?? judgement.incomparable) !== null;

/** That the result starts a new baseline, and every reason why; empty if it doesn't. */
export const newBaselineLines = ({ incomparable }: Judgement, quote = same): string[] =>
  incomparable === null
    ? []
    : [
        `New baseline: ${quote(incomparable.name)} can’t be compared with this result`,
        ...incomparable.differences.map(quote),
      ];

/**
 * The result and its reasons as lines of plain text; the first one is the headline. What differs in
 * broken cases is left out where a list of them follows.
 */
export function judgementLines(
  judgement: Judgement,
  quote = same,
  { differences = true }: { differences?: boolean } = {},
): string[] {
  const { result, baseline } = judgement;
  const reasons = [
    ...undecidedReasons(judgement, quote),
    ...(result === 'incomplete' ? judgement.unscored.map((one) => unscoredText(one, quote)) : []),
    ...failedReasons(judgement, quote),
    ...(result === 'passed' ? reasonsOf(judgement, 'passed', quote) : []),
  ];
  const allowed =
    result === 'passed' && judgement.unscoredRuns > 0
      ? [`${counted(judgement.unscoredRuns, 'run is', 'runs are')} not scored, which is allowed`]
      : [];
  const cases = (baseline?.comparisons ?? []).flatMap(({ candidate }) =>
    (['regressed', 'fixed'] as const).flatMap((list) =>
      candidate[list].length === 0
        ? []
        : [
            `${list === 'regressed' ? 'Broken' : 'Fixed'}: ` +
              firstOf(candidate[list].map(({ caseKey }) => quote(caseKey))),
            ...(list === 'regressed' && differences ? brokenLines(candidate.regressed, quote) : []),
          ],
    ),
  );
  return [
    judgementHeadlines[result],
    ...newBaselineLines(judgement, quote),
    ...reasons,
    ...allowed,
    ...cases,
    ...changedTools(judgement, quote),
  ];
}

const maxExplained = 10;

/** What differs in the calls of the first broken cases: `c11: day: expected "monday", got "saturday"`. */
function brokenLines(broken: readonly ComparedCase[], quote: QuoteName): string[] {
  const known = broken.filter(({ differences }) => differences.length > 0);
  return known
    .slice(0, maxExplained)
    .map(
      ({ caseKey, differences }) =>
        `${quote(caseKey)}: ${quote(differences.map(({ text }) => text).join('; '))}`,
    );
}

/** The tools that differ from the baseline: what a change of the result follows from. */
function changedTools({ baseline }: Judgement, quote: QuoteName): string[] {
  // Every model of an evaluation is offered the same tools.
  const tools = baseline?.comparisons[0]?.candidate.tools;
  if (tools === undefined) return [];
  return (['changed', 'added', 'removed'] as const).flatMap((what) =>
    tools[what].length === 0
      ? []
      : [`Tools ${what}: ${firstOf(tools[what].map((id) => quote(id)))}`],
  );
}

const maxNamed = 20;

function firstOf(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
