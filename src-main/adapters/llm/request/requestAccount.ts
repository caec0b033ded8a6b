import type { TokenUsage, UnreportedSpend } from '../../../../src-shared/domain/observation.ts';
import { addUsage } from '../wire/addUsage.ts';

/** Nothing more is sent to a model, with the reason: its key was refused, or the money is spent. */
export class SendingHalted extends Error {
  override readonly name = 'SendingHalted';
}

/** One request from the moment it is sent. The first end counts; without one it stays unanswered. */
export interface SentRequest {
  /** It never reached the endpoint, or was answered by an error: there is nothing to pay. */
  rejected(): void;
  /** A reply came that took these tokens; `lost`: one that could not be used. */
  answered(usage: TokenUsage, lost?: 'lost'): void;
}

/**
 * The account of the requests of one call to a model, or of one conversation: what was sent, what was
 * answered, and with which tokens. It also holds back requests that were not sent yet once nothing
 * more may be sent, while those under way are awaited.
 */
export class RequestAccount {
  readonly #halted: AbortSignal | null;
  readonly #onLost: (usage: TokenUsage) => void;
  #unanswered = 0;
  #waitedMs = 0;
  #waitingSince: number | null = null;
  readonly #answered: TokenUsage[] = [];
  readonly #lost: TokenUsage[] = [];

  /** `halted` is aborted with a SendingHalted once nothing more may be sent. */
  constructor(halted: AbortSignal | null = null, onLost: (usage: TokenUsage) => void = () => {}) {
    this.#halted = halted;
    this.#onLost = onLost;
  }

  /** A signal for waiting before a request: aborted by `signal`, or when nothing more may be sent. */
  waiting(signal: AbortSignal): AbortSignal {
    return this.#halted === null ? signal : AbortSignal.any([signal, this.#halted]);
  }

  /**
   * For how many milliseconds requests waited before they were sent, up to now: because their endpoint
   * asked for it, failed, or takes no more at once.
   */
  get waitedMs(): number {
    const since = this.#waitingSince;
    return this.#waitedMs + (since === null ? 0 : performance.now() - since);
  }

  /** Does what only waits, so that its time is in `waitedMs`. */
  async waitFor<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    this.#waitingSince = since;
    try {
      return await work();
    } finally {
      this.#waitingSince = null;
      this.#waitedMs += performance.now() - since;
    }
  }

  /** Counts a request that is about to be sent. Throws SendingHalted if nothing more may be sent. */
  begin(): SentRequest {
    this.#halted?.throwIfAborted();
    this.#unanswered += 1;
    let open = true;
    const end = (): boolean => {
      const ends = open;
      open = false;
      if (ends) this.#unanswered -= 1;
      return ends;
    };
    return {
      rejected: () => void end(),
      answered: (usage, lost) => {
        if (!end()) return;
        if (lost === undefined) this.#answered.push(usage);
        else {
          this.#lost.push(usage);
          this.#onLost(usage);
        }
      },
    };
  }

  /**
   * What was sent and is in no reply: tokens of replies that could not be used, and the number of
   * requests without an answer, whose cost nobody knows. After a failure (`replied` false) the
   * replies that came before it are lost too. Null if there is nothing of that.
   */
  unreported(replied: boolean): UnreportedSpend | null {
    const lost = replied ? this.#lost : [...this.#answered, ...this.#lost];
    if (lost.length === 0 && this.#unanswered === 0) return null;
    return {
      usage: lost.length === 0 ? null : lost.reduce((sum, one) => addUsage(sum, one) ?? sum),
      unanswered: this.#unanswered,
    };
  }
}
