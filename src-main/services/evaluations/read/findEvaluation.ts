import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/** By id, or by number as people call it (14, #14). */
export function findEvaluation(store: Store, id: string): EvaluationRow {
  const row =
    store.evaluations.get(id) ??
    (/^#?\d+$/.test(id) ? store.evaluations.getByNumber(Number(id.replace('#', ''))) : null);
  if (row) return row;
  throw new ServiceError('NOT_FOUND', {
    thing: `Evaluation ${id}`,
    cause: 'There is none of this id.',
    nextStep: 'Look in the list of evaluations.',
  });
}
