import {
  counted,
  formatAbout,
  formatExact,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit, Threshold } from '../../../../src-shared/domain/gate.ts';
import {
  clusteredRatio,
  minIntervalCases,
} from '../../../../src-shared/metrics/clusteredInterval.ts';
import { tooFewToCompare } from '../../../../src-shared/display/comparisonAnswer.ts';
import { minAgreement } from '../score/applyAgreement.ts';

interface Planned {
  settings: Pick<
    EvaluationSettings,
    'gates' | 'spendLimitUsd' | 'models' | 'repetitions' | 'whatIf'
  >;
  unit: EvaluationUnit;
  /** Cases or tasks. */
  items: number;
  /** Tasks with an injected instruction. */
  attacked?: number;
  runs: number;
  /** Null if it isn't known. */
  costUsd: number | null;
}

/**
 * What an evaluation can't reach, however it comes out: said before anything is paid. A spend limit
 * that ends it early, gates on a bound of an interval that so few cases can't meet or decide, a
 * what-if of so few cases that no difference is significant, and a confidence that so few
 * repetitions can't measure.
 */
export function knownBefore(planned: Planned): string[] {
  const { settings, unit, items, attacked = 0, runs, costUsd } = planned;
  const { gates, spendLimitUsd, whatIf } = settings;
  const compared = whatIf === null || items === 0 ? null : tooFewToCompare(unit, items);
  return [
    ...spendTexts({ unit, runs, costUsd, limitUsd: spendLimitUsd }),
    ...gates.flatMap((gate) => {
      const counts = gate.metric === 'attack_success_rate' ? attacked : items;
      // An evaluation without cases can't be started, and says so itself.
      return items === 0 ? [] : (gateText(gate, unit, counts) ?? []);
    }),
    ...(compared === null ? [] : [compared]),
    ...(unit === 'case' ? agreementTexts(settings) : []),
  ];
}

/**
 * Several repetitions that are too few for agreement, where nothing else measures confidence. With
 * one repetition, nobody asked for it. The built-in ranker measures margins, and a recording has what
 * was recorded.
 */
function agreementTexts({
  models,
  repetitions,
}: Pick<EvaluationSettings, 'models' | 'repetitions'>): string[] {
  if (repetitions === 1 || repetitions >= minAgreement) return [];
  const unmeasured = models.filter(
    ({ provider, confidence }) =>
      confidence === 'none' && provider !== 'builtin' && provider !== 'replay',
  );
  if (unmeasured.length === 0) return [];
  const names = unmeasured.map(({ provider, model }) => `${provider}/${model}`).join(', ');
  return [
    `The confidence of ${names} stays unmeasured: agreement needs at least ` +
      `${counted(minAgreement, 'repetition')}, and ${repetitions} are planned.`,
  ];
}

function spendTexts({
  unit,
  runs,
  costUsd,
  limitUsd,
}: Pick<Planned, 'unit' | 'runs' | 'costUsd'> & { limitUsd: number | null }): string[] {
  if (limitUsd === null || costUsd === null || runs === 0 || costUsd <= limitUsd) return [];
  const each = costUsd / runs;
  if (each > limitUsd)
    return [
      `The spend limit of ${formatUsd(limitUsd)} is less than one run costs (about ` +
        `${formatUsd(each)}): the evaluation stops after its first runs. Raise the limit.`,
    ];
  return [
    `The spend limit of ${formatUsd(limitUsd)} allows about ${formatAbout(Math.floor(limitUsd / each))} of ` +
      `${counted(runs, 'run')}, which cost about ${formatUsd(costUsd)}: the evaluation stops there, ` +
      `and its gates are judged as incomplete. Raise the limit, or run fewer ${unit}s.`,
  ];
}

/** Rates that have one run of each case or task in their denominator. */
const ratesOfAll: ReadonlySet<string> = new Set([
  'pass_rate',
  'success_rate',
  'attack_success_rate',
]);
/** With more, any bound that people gate can be met. */
const maxSearched = 100_000;

/** Null for a gate that can pass and fail. `n` is the number of cases that its rate can count. */
function gateText(gate: Threshold, unit: EvaluationUnit, n: number): string | null {
  const { metric, bound, side, limit } = gate;
  if (n === 0)
    return metric === 'attack_success_rate'
      ? `The gate on ${metric} can't be decided: no ${unit} has an injected instruction.`
      : null;
  if (bound === 'value') return null;
  const isFar = (side === 'min') === (bound === 'low');
  const needed = isFar && ratesOfAll.has(metric) ? neededFor(gate, n) : n;
  if (needed === null)
    return `The gate ${metric} ${side} ${limit} on the ${bound} end of its interval can't be met by any number of ${unit}s. Choose another limit.`;
  const end = `The gate on the ${bound === 'low' ? 'lower' : 'upper'} end of ${metric}`;
  const takes = `It takes at least ${counted(Math.max(needed, minIntervalCases), unit)}.`;
  if (n < minIntervalCases)
    return `${end} can't be decided: ${counted(n, unit)} ${n === 1 ? 'gives' : 'give'} no interval. ${takes}`;
  if (needed === n) return null;
  return (
    `${end} can't pass: with ${counted(n, unit)}, that end is ${formatExact(bestBound(side, n))} ` +
    `at best, and the gate needs ${side === 'min' ? 'at least' : 'at most'} ${formatExact(limit)}. ${takes}`
  );
}

/** The least number of cases, at least n, that can meet a gate; null if none can. */
function neededFor({ side, limit }: Pick<Threshold, 'side' | 'limit'>, n: number): number | null {
  const meets = (cases: number): boolean => {
    const reached = bestBound(side, cases);
    return reached !== null && (side === 'min' ? reached >= limit : reached <= limit);
  };
  if (meets(n)) return n;
  let needed = n;
  while (needed < maxSearched && !meets(needed)) needed *= 2;
  if (!meets(needed)) return null;
  let low = n;
  while (needed - low > 1) {
    const middle = Math.floor((low + needed) / 2);
    if (meets(middle)) needed = middle;
    else low = middle;
  }
  return needed;
}

/** The bound of n cases of which all pass, or no attack succeeds. */
function bestBound(side: Threshold['side'], n: number): number | null {
  const numerator = side === 'min' ? 1 : 0;
  const { low, high } = clusteredRatio(
    Array.from({ length: n }, () => ({ numerator, denominator: 1 })),
  );
  return side === 'min' ? low : high;
}
