import type {
  OptimizationBudget,
  OptimizationSpend,
} from '../../../src-shared/domain/optimization.ts';
import type { UnreportedSpend } from '../../../src-shared/domain/observation.ts';
import { costOf, type Price } from '../../../src-shared/domain/price.ts';

export const nothingSpent: OptimizationSpend = {
  calls: 0,
  tokens: 0,
  usd: 0,
  minutes: 0,
  unanswered: 0,
};

/** What was used in all; money is unknown as soon as one part of it is. */
export function addSpend(a: OptimizationSpend, b: OptimizationSpend): OptimizationSpend {
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    minutes: a.minutes + b.minutes,
    unanswered: a.unanswered + b.unanswered,
  };
}

/** What was sent and is in no answer: lost replies at their tokens, the rest only by its number. */
export const spentUnreported = (
  unreported: UnreportedSpend | null,
  price: Price | null,
): OptimizationSpend =>
  unreported === null
    ? nothingSpent
    : {
        ...nothingSpent,
        ...(unreported.usage && {
          calls: 1,
          tokens: unreported.usage.input + unreported.usage.output,
          usd: costOf(unreported.usage, price),
        }),
        unanswered: unreported.unanswered,
      };

/** What so many calls cost if they are like an average one. */
export function times(each: OptimizationSpend, calls: number): OptimizationSpend {
  return {
    calls,
    tokens: Math.round(each.tokens * calls),
    usd: each.usd === null ? null : each.usd * calls,
    minutes: each.minutes * calls,
    unanswered: 0,
  };
}

/** The first limit that a use would exceed; null if it fits. Unknown money exceeds no limit. */
export function exceeded(
  budget: OptimizationBudget,
  spent: OptimizationSpend,
): keyof OptimizationBudget | null {
  for (const key of ['calls', 'tokens', 'usd', 'minutes'] as const) {
    const [limit, used] = [budget[key], spent[key]];
    if (limit !== null && used !== null && used > limit + 1e-9) return key;
  }
  return null;
}

/** As much of a use as a budget allows: what is expected to be used if everything else fits. */
export function within(budget: OptimizationBudget, wanted: OptimizationSpend): OptimizationSpend {
  const shares = (['calls', 'tokens', 'usd', 'minutes'] as const).map((key) => {
    const [limit, use] = [budget[key], wanted[key]];
    return limit === null || use === null || use <= limit ? 1 : limit / use;
  });
  const share = Math.min(...shares);
  return share === 1
    ? wanted
    : {
        calls: Math.floor(wanted.calls * share),
        tokens: Math.floor(wanted.tokens * share),
        usd: wanted.usd === null ? null : wanted.usd * share,
        minutes: wanted.minutes * share,
        unanswered: wanted.unanswered,
      };
}
