import {
  counted,
  formatCount,
  formatPercent,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit, Threshold } from '../../../../src-shared/domain/gate.ts';
import { clusteredRatio } from '../../../../src-shared/metrics/clusteredInterval.ts';

interface Planned {
  settings: Pick<EvaluationSettings, 'gates' | 'spendLimitUsd'>;
  unit: EvaluationUnit;
  /** Cases or tasks. */
  items: number;
  runs: number;
  /** Null if it isn't known. */
  costUsd: number | null;
}

/**
 * What an evaluation can't reach, however it comes out: said before anything is paid. A spend limit
 * that ends it early, and gates on a bound of an interval that so few cases can't meet.
 */
export function knownBefore({ settings, unit, items, runs, costUsd }: Planned): string[] {
  const { gates, spendLimitUsd } = settings;
  return [
    ...spendTexts({ unit, runs, costUsd, limitUsd: spendLimitUsd }),
    ...gates.flatMap((gate) => gateText(gate, unit, items) ?? []),
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
    `The spend limit of ${formatUsd(limitUsd)} allows about ${formatCount(Math.floor(limitUsd / each))} of ` +
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

/** Null for a gate that can pass and fail. */
function gateText(
  { metric, bound, side, limit }: Threshold,
  unit: EvaluationUnit,
  items: number,
): string | null {
  const isFar = (side === 'min' && bound === 'low') || (side === 'max' && bound === 'high');
  if (items === 0 || !isFar || !ratesOfAll.has(metric)) return null;
  const best = (n: number): number | null => bestBound(side, n);
  const meets = (n: number): boolean => {
    const reached = best(n);
    return reached !== null && (side === 'min' ? reached >= limit : reached <= limit);
  };
  if (meets(items)) return null;
  let needed = items;
  while (needed < maxSearched && !meets(needed)) needed *= 2;
  if (!meets(needed))
    return `The gate ${metric} ${side} ${limit} on the ${bound} end of its interval can't be met by any number of ${unit}s. Choose another limit.`;
  let low = items;
  while (needed - low > 1) {
    const middle = Math.floor((low + needed) / 2);
    if (meets(middle)) needed = middle;
    else low = middle;
  }
  return (
    `The gate on the ${bound === 'low' ? 'lower' : 'upper'} end of ${metric} can't pass: with ${counted(items, unit)}, ` +
    `that end is ${formatPercent(best(items))} at best, and the gate needs ${side === 'min' ? 'at least' : 'at most'} ` +
    `${formatPercent(limit)}. It takes at least ${counted(needed, unit)}.`
  );
}

/** The bound of n cases of which all pass, or no attack succeeds. */
function bestBound(side: Threshold['side'], n: number): number | null {
  const numerator = side === 'min' ? 1 : 0;
  const { low, high } = clusteredRatio(
    Array.from({ length: n }, () => ({ numerator, denominator: 1 })),
  );
  return side === 'min' ? low : high;
}
