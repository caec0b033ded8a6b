import type { Store } from '../../store/store.ts';
import { openCaseTrial, type CaseEvaluations } from './caseTrial.ts';
import { openTaskTrial, type TaskEvaluations } from './taskTrial.ts';
import type { Trial, TrialTarget } from './trial.ts';

interface TrialsParts {
  store: Store;
  evaluations: CaseEvaluations;
  taskEvaluations: TaskEvaluations;
}

/** Opens evaluations of cases and of tasks to try other texts of tools on. */
export class Trials {
  readonly #parts: TrialsParts;

  constructor(parts: TrialsParts) {
    this.#parts = parts;
  }

  /** Throws NOT_FOUND. */
  open(target: TrialTarget): Trial {
    const { store, evaluations, taskEvaluations } = this.#parts;
    const named = store.evaluations.named(target.evaluationId);
    const row = named && store.evaluations.get('task', named.id);
    return row
      ? openTaskTrial(store, taskEvaluations, row, target)
      : openCaseTrial(store, evaluations, target);
  }
}
