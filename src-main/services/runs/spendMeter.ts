import { formatUsd } from '../../../src-shared/display/numbers.ts';
import { costOf, type Price } from '../../../src-shared/domain/price.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import { observationDetails } from '../../../src-shared/domain/observation.ts';

/**
 * What one answer with its follow-up question adds to the spend, in US dollars: 0 from a cache, null
 * when there is no price or no token count.
 */
export function costOfObservation(
  { usage, details }: Pick<Observation, 'usage' | 'details'>,
  price: Price | null,
): number | null {
  const read = details === undefined ? undefined : observationDetails.safeParse(details).data;
  if (read?.cached === true) return 0;
  const followUp = read?.followUpTokens ?? { input: 0, output: 0 };
  return usage
    ? costOf({ input: usage.input + followUp.input, output: usage.output + followUp.output }, price)
    : null;
}

/** What was spent before a resume, or before cases are asked again, and on the most expensive run. */
export interface SpentBefore {
  usd: number;
  maxRunUsd: number;
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
  #hasRefused = false;

  constructor(limitUsd: number | null, before: SpentBefore = { usd: 0, maxRunUsd: 0 }) {
    this.#limitUsd = limitUsd;
    this.#spentUsd = before.usd;
    this.#maxRunUsd = before.maxRunUsd;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** True once nothing is left of the limit, whatever is still under way. */
  get isReached(): boolean {
    return this.#limitUsd !== null && this.#spentUsd >= this.#limitUsd;
  }

  /** Why a run was not started, with all that is spent by now; null if none was refused. */
  get refused(): string | null {
    return this.#hasRefused ? this.refusal : null;
  }

  /** Why no further run starts. */
  get refusal(): string {
    return (
      `The spend limit of $${this.#limitUsd ?? 0} leaves no room for another run ` +
      `(${formatUsd(this.#spentUsd)} spent). Raise it in a new evaluation.`
    );
  }

  /** Returns false when the limit would be exceeded. Call `end` for each true. */
  tryBegin(): boolean {
    const next = this.#spentUsd + (this.#running + 1) * this.#maxRunUsd;
    if (this.isReached || (this.#limitUsd !== null && next > this.#limitUsd)) {
      this.#hasRefused = true;
      return false;
    }
    this.#running += 1;
    return true;
  }

  /** Adds what a reply in a run cost, as soon as it is there. */
  add(costUsd: number): void {
    this.#spentUsd += costUsd;
  }

  /** Ends a run that cost this much, of which `added` is in the spend already. */
  end(costUsd: number, added = 0): void {
    this.#running -= 1;
    this.#spentUsd += costUsd - added;
    this.#maxRunUsd = Math.max(this.#maxRunUsd, costUsd);
  }
}
