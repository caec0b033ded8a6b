import type { TokenUsage } from '../../../src-shared/domain/observation.ts';
import { costOf, type Price } from '../../../src-shared/domain/price.ts';

/** Who was paid for a reply in a run. */
export type PaidRole = 'model' | 'user' | 'judge';

export type OnUsage = (by: PaidRole, usage: TokenUsage | null) => void;

/**
 * What one run has cost so far. Each reply counts as soon as it is there: a run that is aborted or
 * killed later was paid for all the same. A reply without price or token count adds nothing.
 */
export class RunSpend {
  readonly #prices: Record<PaidRole, Price | null>;
  readonly #keep: (usd: number) => void;
  #usd = 0;

  /** `keep` stores what a reply adds. */
  constructor(prices: Record<PaidRole, Price | null>, keep: (usd: number) => void) {
    this.#prices = prices;
    this.#keep = keep;
  }

  get usd(): number {
    return this.#usd;
  }

  readonly add: OnUsage = (by, usage) => {
    const cost = (usage && costOf(usage, this.#prices[by])) ?? 0;
    if (cost <= 0) return;
    this.#usd += cost;
    this.#keep(cost);
  };
}
