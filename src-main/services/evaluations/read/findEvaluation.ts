import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/** Finds an evaluation by id or by number (14, #14). Throws NOT_FOUND. */
export function findEvaluation(store: Store, id: string): EvaluationRow {
  const row =
    store.evaluations.get('case', id) ??
    (/^#?\d+$/.test(id)
      ? store.evaluations.getByNumber('case', Number(id.replace('#', '')))
      : null);
  if (row) return row;
  throw new ServiceError('NOT_FOUND', {
    thing: `Evaluation ${id}`,
    cause: "It doesn't exist.",
    nextStep: 'Choose one from the list of evaluations.',
  });
}
