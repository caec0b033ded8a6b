import { encodingNames, type EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { Store } from '../../store/store.ts';
import type { StoredTokens } from '../../store/servers/tokenCounts.ts';
import { createTurns } from '../../runtime/turns.ts';

type CountStore = Pick<Store, 'tokenCounts' | 'toolSnapshots' | 'transaction'>;

/**
 * The rank tables are large: they are read when the first token is counted, not when the program
 * starts.
 */
export const loadCounter = () => import('../../analysis/tokens/toolTokens.ts');

/**
 * Tokens of frozen tools, by the hash of their content: what is known is read, what is not is
 * counted once and kept. Where nothing can be kept (a workspace opened for reading) it is counted
 * all the same.
 */
export async function tokensOf(
  store: CountStore,
  hashes: Iterable<string>,
  encoding: EncodingName,
): Promise<Map<string, StoredTokens>> {
  const known = new Map<string, StoredTokens>();
  const missing: string[] = [];
  for (const hash of new Set(hashes)) {
    const stored = store.tokenCounts.get(hash, encoding);
    if (stored) known.set(hash, stored);
    else missing.push(hash);
  }
  if (missing.length === 0) return known;
  const { countTool } = await loadCounter();
  const { loadEncoding } = await import('../../analysis/tokens/encodings.ts');
  await loadEncoding(encoding, createTurns());
  const counted = missing.map(
    (hash) => [hash, countTool(store.toolSnapshots.raw(hash), encoding)] as const,
  );
  for (const [hash, tokens] of counted) known.set(hash, tokens);
  try {
    store.transaction(() =>
      counted.forEach(([hash, tokens]) => store.tokenCounts.put(hash, encoding, tokens)),
    );
  } catch {
    // A count that could not be kept is a count all the same.
  }
  return known;
}

/** Counts what was just ingested, in both encodings. */
export async function countIngested(
  store: CountStore,
  hashes: readonly string[],
  encodings: readonly EncodingName[] = encodingNames,
): Promise<void> {
  for (const encoding of encodings) await tokensOf(store, hashes, encoding);
}
