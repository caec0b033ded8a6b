import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { observationDetails } from '../../../../src-shared/domain/observation.ts';

/**
 * What one answer with its follow-up question adds to the spend, in US dollars: 0 from a cache, null
 * when there is no price or no token count.
 */
export function costOfObservation(
  { usage, details }: Pick<Observation, 'usage' | 'details'>,
  price: Price | null,
): number | null {
  const read = observationDetails.safeParse(details ?? {}).data;
  if (read?.cached === true) return 0;
  const followUp = read?.followUpTokens ?? { input: 0, output: 0 };
  return usage
    ? costOf({ input: usage.input + followUp.input, output: usage.output + followUp.output }, price)
    : null;
}

/**
 * Keeps an evaluation under its spend limit. A run may start only if the limit covers what is spent
 * plus the most expensive run so far for each running run and the new one.
 */
export class SpendMeter {
  readonly #limitUsd: number | null;
  #spentUsd: number;
  #maxRunUsd: number;
  #running = 0;

  /** What was spent before a resume, and the most expensive run of it. */
  constructor(limitUsd: number | null, before: { usd: number; maxRunUsd?: number } = { usd: 0 }) {
    this.#limitUsd = limitUsd;
    this.#spentUsd = before.usd;
    this.#maxRunUsd = before.maxRunUsd ?? 0;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** Returns false when the limit would be exceeded. Call `end` for each true. */
  tryBegin(): boolean {
    if (
      this.#limitUsd !== null &&
      this.#spentUsd + (this.#running + 1) * this.#maxRunUsd > this.#limitUsd
    )
      return false;
    if (this.#limitUsd !== null && this.#spentUsd >= this.#limitUsd) return false;
    this.#running += 1;
    return true;
  }

  /** Ends a run; null counts as 0. */
  end(costUsd: number | null): void {
    this.#running -= 1;
    this.#spentUsd += costUsd ?? 0;
    this.#maxRunUsd = Math.max(this.#maxRunUsd, costUsd ?? 0);
  }
}
