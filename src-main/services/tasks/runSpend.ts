import type { TokenUsage } from '../../../src-shared/domain/observation.ts';
import { costOf, type Price } from '../../../src-shared/domain/price.ts';
import type { TaskFacts } from '../../../src-shared/domain/taskEvaluation.ts';
import { RequestAccount } from '../../adapters/llm/request/requestAccount.ts';

const paidRoles = ['model', 'user', 'judge'] as const;
export type PaidRole = (typeof paidRoles)[number];

/** `at`: which of several judges. */
export type OnUsage = (by: PaidRole, usage: TokenUsage | null, at?: number) => void;
/** What each role costs; there may be several judges. */
export interface RolePrices extends Record<Exclude<PaidRole, 'judge'>, Price | null> {
  judge: readonly (Price | null)[];
}
/** Hears of what a run is paid for. */
export interface PaidWatch {
  /** The tokens of every reply as soon as it is there, before its calls are answered. */
  onUsage?: OnUsage;
  /** Where the requests of the run are counted. */
  accountOf?: (by: PaidRole, at?: number) => RequestAccount;
}

/**
 * What one run has cost so far: of the model under test, its simulated user and its judge. Each reply
 * counts as soon as it is there, also one that can't be used: a run that is aborted or killed later
 * was paid for all the same. A reply without price or token count adds nothing to the known sum.
 */
export class RunSpend {
  readonly #prices: Record<PaidRole, readonly (Price | null)[]>;
  readonly #keep: (usd: number) => void;
  readonly #accounts: Record<PaidRole, RequestAccount[]>;
  #usd = 0;
  #isKnown = true;

  /** `halted` is aborted once a role may send nothing more; `keep` stores what a reply adds. */
  constructor(
    { model, user, judge }: RolePrices,
    halted: (by: PaidRole) => AbortSignal,
    keep: (usd: number) => void,
  ) {
    this.#prices = { model: [model], user: [user], judge };
    this.#keep = keep;
    const open = (by: PaidRole) =>
      this.#prices[by].map(
        (_, at) =>
          new RequestAccount(halted(by), (usage) => {
            this.add(by, usage, at);
          }),
      );
    this.#accounts = { model: open('model'), user: open('user'), judge: open('judge') };
  }

  /** The known sum in US dollars. */
  get usd(): number {
    return this.#usd;
  }

  /** As it is stored: the sum is null if a price or a count is missing, because unknown is never 0. */
  get facts(): NonNullable<TaskFacts['spend']> {
    const unanswered = paidRoles
      .flatMap((by) => this.#accounts[by])
      .reduce((sum, account) => sum + (account.unreported(true)?.unanswered ?? 0), 0);
    return { usd: this.#isKnown ? this.#usd : null, unanswered };
  }

  readonly accountOf = (by: PaidRole, at = 0): RequestAccount => {
    const account = this.#accounts[by][at];
    if (!account) throw new Error(`There is no account of ${by} ${at}.`);
    return account;
  };

  readonly add: OnUsage = (by, usage, at = 0) => {
    const cost = usage && costOf(usage, this.#prices[by][at] ?? null);
    if (cost === null) this.#isKnown = false;
    if (cost === null || cost <= 0) return;
    this.#usd += cost;
    this.#keep(cost);
  };
}
