import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { observationDetails } from '../../../../src-shared/domain/observation.ts';

/**
 * Cost of one answer with its follow-up question, in US dollars; null = unpriced, or unknown
 * tokens.
 */
export function costOfObservation(
  { usage, details }: Pick<Observation, 'usage' | 'details'>,
  price: Price | null,
): number | null {
  const followUp = observationDetails.safeParse(details ?? {}).data?.followUpTokens ?? {
    input: 0,
    output: 0,
  };
  return usage
    ? costOf({ input: usage.input + followUp.input, output: usage.output + followUp.output }, price)
    : null;
}

/**
 * Keeps an evaluation under its limit: a run starts only where what is spent, and the dearest run
 * so far for each that is under way, leave room for one more such run.
 */
export class SpendMeter {
  readonly #limitUsd: number | null;
  #spentUsd: number;
  #maxRunUsd = 0;
  #running = 0;

  constructor(limitUsd: number | null, spentUsd: number) {
    this.#limitUsd = limitUsd;
    this.#spentUsd = spentUsd;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** False where the limit leaves no room; each true needs its `end`. */
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

  end(costUsd: number | null): void {
    this.#running -= 1;
    this.#spentUsd += costUsd ?? 0;
    this.#maxRunUsd = Math.max(this.#maxRunUsd, costUsd ?? 0);
  }
}
