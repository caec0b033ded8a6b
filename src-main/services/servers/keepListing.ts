import type { Listing } from '../../../src-shared/contract/servers.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, NextId } from '../clock.ts';
import type { Store } from '../../store/store.ts';
import { createTurns } from '../../turns.ts';
import { bounded } from './boundedTool.ts';
import type { IngestedServer } from './ingestTools.ts';

/** Tools that are written, or read, at once: a part of a second's fraction even where each of them is large. */
const partSize = 50;

/** The rank tables are large: they are read when the first token is counted, not when the program starts. */
async function loadCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('../../analysis/tokens/encodings.ts');
  await nextTurn();
  countTokens('');
  await nextTurn();
  return countTokens;
}

/** Keeps a listing part by part; it counts only when the last step has tied the parts together. */
export async function keepListing({ store, clock, nextId }: { store: Store; clock: Clock; nextId: NextId }, serverId: string, { listing, tools }: IngestedServer): Promise<void> {
  const countTokens = await loadCounter();
  const turn = createTurns();
  const kept: { serverId: string; server: string; hash: string }[] = [];
  for (let at = 0; at < tools.length; at += partSize) {
    const part: { received: (typeof tools)[number]; tokenCount: number }[] = [];
    for (const received of tools.slice(at, at + partSize)) {
      part.push({ received, tokenCount: countTokens(received.raw) });
      await turn();
    }
    const hashes = store.toolSnapshots.keep(part);
    for (const [index, hash] of hashes.entries()) kept.push({ serverId, server: tools[at + index]?.tool.server ?? listing.server, hash });
    await turn();
  }
  store.transaction(() => {
    const snapshotId = store.toolSnapshots.freezeKept({ servers: [listing], tools: kept });
    store.serverListings.add({ id: nextId(), serverId, snapshotId, createdAt: clock.now() });
  });
}

/** The last listing of a server with the tokens of each tool. */
export async function readListing(store: Store, serverId: string): Promise<Listing | null> {
  const latest = store.serverListings.latest(serverId);
  const head = latest === null ? null : store.toolSnapshots.head(latest.snapshotId);
  const listing = head?.servers[0];
  if (latest === null || head === null || listing === undefined) return null;
  const turn = createTurns();
  const tools: Listing['tools'] = [];
  for (let offset = 0; ; offset += partSize) {
    const part = store.toolSnapshots.page(head.id, offset, partSize);
    for (const { snapshotToolId: _id, tokenCount, ...tool } of part) {
      tools.push({ ...bounded(tool), tokenCount: tokenCount ?? (await count(store, tool.hash)) });
      await turn();
    }
    if (part.length < partSize) return { serverId, snapshotId: head.id, listedAt: latest.createdAt, listing, tools };
  }
}

/** Tools that an evaluation froze were not counted when they came. */
async function count(store: Store, hash: string): Promise<number> {
  const countTokens = await loadCounter();
  const tokens = countTokens(store.toolSnapshots.raw(hash));
  try {
    store.toolSnapshots.setTokenCount(hash, tokens);
  } catch {
    // A workspace that is open for reading keeps no count; it is counted again the next time.
  }
  return tokens;
}
