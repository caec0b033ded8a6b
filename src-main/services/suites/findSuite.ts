import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { notFound } from '../../store/database/table.ts';
import type { Store } from '../../store/store.ts';

/** Throws NOT_FOUND if no suite has this id. */
export function findSuite(store: Store, id: string): Suite {
  const found = store.suites.get(id);
  if (found === null) throw notFound('Suite', id);
  return found;
}
