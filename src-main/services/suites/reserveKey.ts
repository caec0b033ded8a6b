import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Store } from '../../store/store.ts';

/**
 * Returns the preferred key, or the first numbered one that is free, and adds it to the taken keys.
 */
export function reserveKey(taken: Set<string>, preferred: string): string {
  let key = preferred;
  for (let number = 2; taken.has(key); number += 1) key = `${preferred}-${number}`;
  taken.add(key);
  return key;
}

/** Throws CONFLICT if a case or a task of the suite has this key: they share one suite file. */
export function requireFreeKey(store: Store, suiteId: string, key: string): void {
  if (store.testCases.freeKey(suiteId, key) === key) return;
  throw new ServiceError('CONFLICT', {
    thing: `The ID ${key}`,
    cause: 'Another case or task of the suite has this ID.',
    nextStep: 'Give it another ID.',
    field: 'key',
  });
}
