import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { encodingNames, type EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { Store } from '../../store/store.ts';
import type { StoredTokens } from '../../store/servers/tokenCounts.ts';

type CountStore = Pick<Store, 'tokenCounts' | 'toolSnapshots' | 'transaction'>;

/**
 * The token tables are large, so they are loaded when the first token is counted, not at startup.
 */
export const loadCounter = () => import('../../analysis/tokens/toolTokens.ts');

/**
 * Token counts of frozen tools by content hash. Each tool is counted once and stored; in a read-
 * only workspace it is counted every time.
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
  await loadEncoding(encoding, createYielder());
  const counted = missing.map(
    (hash) => [hash, countTool(store.toolSnapshots.raw(hash), encoding)] as const,
  );
  for (const [hash, tokens] of counted) known.set(hash, tokens);
  try {
    store.transaction(() =>
      counted.forEach(([hash, tokens]) => store.tokenCounts.put(hash, encoding, tokens)),
    );
  } catch {
    // The counts are valid even if they could not be stored.
  }
  return known;
}

/** Counts newly listed tools ahead of time. */
export async function countIngested(
  store: CountStore,
  hashes: readonly string[],
  encodings: readonly EncodingName[] = encodingNames,
): Promise<void> {
  for (const encoding of encodings) await tokensOf(store, hashes, encoding);
}
