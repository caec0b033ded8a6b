import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { caseTables, findRow } from '../../runs/runTables.ts';

/** Finds an evaluation by id or by number (14, #14). Throws NOT_FOUND. */
export const findEvaluation = (store: Store, id: string): EvaluationRow =>
  findRow(caseTables(store), id);
