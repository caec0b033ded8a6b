import type { TrajectoryStep } from '../../../src-shared/domain/task.ts';
import type { Store } from '../../store/store.ts';
import type { Exchange } from '../../store/runs/steps.ts';

/**
 * Stores the steps of a run before each call that is sent to a server, so that a run that is killed
 * or canceled doesn't forget what it may have changed. Until its end, a run counts nowhere.
 */
export class RunJournal {
  /** One per step. */
  readonly exchanges: Exchange[] = [];
  readonly #store: Store;
  readonly #runId: string;
  #steps: readonly TrajectoryStep[] = [];
  /** Steps before this one don't change any more. */
  #settled = 0;

  constructor(store: Store, runId: string) {
    this.#store = store;
    this.#runId = runId;
  }

  /** What was written, as it is now. */
  get steps(): readonly TrajectoryStep[] {
    return this.#steps;
  }

  /** The steps are on disk when it returns. */
  readonly write = (steps: readonly TrajectoryStep[]): void => {
    const { runs, steps: stored, transaction } = this.#store;
    this.#steps = steps;
    transaction(() => {
      runs.markRunning(this.#runId);
      stored.write(this.#runId, { steps, exchanges: this.exchanges }, this.#settled);
    });
    this.#settled = steps.length - 1;
  };

  /** Stores what became of the calls of a run that is given up. */
  close(): void {
    if (this.#steps.length > 0) this.write(this.#steps);
  }
}
