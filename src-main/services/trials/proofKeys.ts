import { sha256 } from '../../runtime/sha256.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import type { Store } from '../../store/store.ts';

/** What the proof half of a suite is known by; the first one is noted with a proof. */
export type ProofKeys = readonly [string, ...string[]];

interface OfSuite {
  id: string;
  suiteId: string | null;
  suiteName: string;
}

export const keysOfCases = (store: Store, row: OfSuite): ProofKeys =>
  proofKeys(row, () => casesOf(store, row.id));

export const keysOfTasks = (store: Store, row: OfSuite): ProofKeys =>
  proofKeys(row, () =>
    store.entries
      .list('task', row.id)
      .map(({ key, content: { turns } }) => ({ key, request: turns.join('\n') })),
  );

/**
 * A suite of the workspace is known by its ID. One from a file is known by the requests of its proof
 * half, so that the same cases under another name share the count, and by its name, under which
 * older proofs were counted.
 */
function proofKeys(
  { suiteId, suiteName }: OfSuite,
  items: () => Iterable<{ key: string; request: string }>,
): ProofKeys {
  if (suiteId !== null) return [suiteId];
  const held = [...items()]
    .filter(({ key }) => halfOf(key) === 'proof')
    .map(({ key, request }) => JSON.stringify([key, request]))
    .sort();
  return [`requests:${sha256(held.join('\n'))}`, suiteName];
}

function* casesOf(store: Store, id: string): Generator<{ key: string; request: string }> {
  for (const { key, content } of store.entries.each('case', id))
    yield { key, request: content.query };
}
