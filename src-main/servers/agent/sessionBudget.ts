import { formatUsd } from '../../../src-shared/display/numbers.ts';

/**
 * What all evaluations of one session may cost together, in US dollars. Without a budget, nothing
 * may cost anything.
 */
export class SessionBudget {
  readonly #limitUsd: number;
  #spentUsd = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limitUsd: number | null) {
    this.#limitUsd = limitUsd ?? 0;
  }

  get leftUsd(): number {
    return Math.max(0, this.#limitUsd - this.#spentUsd);
  }

  /**
   * Runs one piece of work at a time, so that two can't spend the same rest. `start` gets what is
   * left; what `finish` doesn't know the cost of uses up the rest, and so does its failure. Throws
   * if less is left than is expected.
   */
  async spend<Started, Result>(
    expectedUsd: number | null,
    start: (leftUsd: number) => Promise<Started>,
    finish: (started: Started) => Promise<{ costUsd: number | null; result: Result }>,
  ): Promise<Result> {
    const turn = this.#last.then(async () => {
      const left = this.leftUsd;
      if (left <= 0 || (expectedUsd ?? 0) > left) throw this.#refusal(expectedUsd);
      const started = await start(left);
      let charged = left;
      try {
        const { costUsd, result } = await finish(started);
        charged = costUsd ?? left;
        return result;
      } finally {
        this.#spentUsd += charged;
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #refusal(expectedUsd: number | null): Error {
    const cost =
      expectedUsd === null ? '' : `This run would cost about ${formatUsd(expectedUsd)}. `;
    return new Error(
      `Budget: ${cost}${formatUsd(this.leftUsd)} of ${formatUsd(this.#limitUsd)} are left in this ` +
        'session. Use a smaller suite or a free model, or ask the user to start `touchstone mcp` ' +
        'with a larger --budget.',
    );
  }
}
