import { hasEnded, type EvaluationState } from '../../../src-shared/domain/evaluationState.ts';

import type { Store } from '../../store/store.ts';

/** What a resume needs to know of an evaluation of cases or of tasks, and gives back if it fails. */
interface Ended {
  id: string;
  state: EvaluationState;
  reason: string | null;
  completedAt: string | null;
}

/** The table that a claim is kept in. */
type Claims = Pick<Store['evaluations'], 'claim' | 'setState'>;

/**
 * The resumes of this process that are being planned. A resume claims its evaluation in the database
 * before anything waits: of two at once, in this process or in two, one starts the runs, and the
 * other one returns what that started. The claim of a process that is gone is an evaluation that
 * runs nowhere, which the next start interrupts.
 */
export class Resumes {
  readonly #claims: Claims;
  readonly #transaction: Store['transaction'];
  readonly #owner: string;
  readonly #planned = new Map<string, Promise<void>>();

  constructor(claims: Claims, transaction: Store['transaction'], owner: string) {
    this.#claims = claims;
    this.#transaction = transaction;
    this.#owner = owner;
  }

  has(id: string): boolean {
    return this.#planned.has(id);
  }

  get size(): number {
    return this.#planned.size;
  }

  /** Resolves once no resume of an evaluation is being planned; never rejects. */
  async settled(id: string): Promise<void> {
    await this.#planned.get(id)?.catch(() => undefined);
  }

  /**
   * Runs `start`, which plans the next attempts and starts them, unless the evaluation runs already.
   * If it throws, the evaluation is what it was.
   * @param isStuck true if the runner of this process ended without being able to store that
   */
  async start(before: Ended, isStuck: boolean, start: () => Promise<void>): Promise<void> {
    const { id } = before;
    const known = this.#planned.get(id);
    if (known) return known;
    if (!hasEnded(before.state) && !isStuck) return;
    const claimed = this.#transaction(() => this.#claims.claim(id, this.#owner) || isStuck);
    if (!claimed) return;
    const planned = start()
      .catch((error: unknown) => {
        this.#release(before);
        throw error;
      })
      .finally(() => this.#planned.delete(id));
    this.#planned.set(id, planned);
    return planned;
  }

  #release({ id, state, reason, completedAt }: Ended): void {
    // It can't have ended as running: what is stuck was interrupted.
    const ended = hasEnded(state) ? state : 'interrupted';
    const change = { state: ended, reason, owner: null, startedAt: null, completedAt };
    try {
      this.#transaction(() => this.#claims.setState(id, change));
    } catch {
      // A disk that is full or a program that ends keeps the claim, until the next start frees it.
    }
  }
}
