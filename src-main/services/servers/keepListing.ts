import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { Listing } from '../../../src-shared/contract/servers.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { StoredListing } from '../../store/servers/serverListings.ts';
import type { Store } from '../../store/store.ts';
import { hashTool } from '../../store/servers/toolSnapshots.ts';
import { countIngested, tokensOf } from '../tokens/tokenCounts.ts';
import { limitSchemaDepth } from './limitSchemaDepth.ts';
import type { IngestedServer } from './ingestTools.ts';

/**
 * Tools that are written or read before yielding: a small part of a second even if each is large.
 */
const batchSize = 25;

/**
 * Stores a listing in batches, so that the event loop stays free. It counts only after the last
 * step has linked the batches.
 */
export async function keepListing(
  { store, clock, nextId }: { store: Store; clock: Pick<Clock, 'now'>; nextId: NextId },
  serverId: string,
  { listing, tools }: IngestedServer,
  askedBy: StoredListing['askedBy'] = 'person',
): Promise<void> {
  const yieldIfDue = createYielder();
  const stored: { serverId: string; server: string; hash: string }[] = [];
  for (let at = 0; at < tools.length; at += batchSize) {
    const hashes = store.toolSnapshots.keep(tools.slice(at, at + batchSize));
    for (const [index, hash] of hashes.entries())
      stored.push({ serverId, server: tools[at + index]?.tool.server ?? listing.server, hash });
    await yieldIfDue();
  }
  store.transaction(() => {
    const snapshotId = store.toolSnapshots.freezeKept({ servers: [listing], tools: stored });
    store.serverListings.add({
      id: nextId(),
      serverId,
      snapshotId,
      createdAt: clock.now(),
      askedBy,
    });
  });
  for (let at = 0; at < stored.length; at += batchSize) {
    await countIngested(
      store,
      stored.slice(at, at + batchSize).map(({ hash }) => hash),
    );
    await yieldIfDue();
  }
}

/**
 * Stores what an evaluation listed, unless `known` has the same content; null means that nothing is
 * known.
 */
export async function keepIfChanged(
  parts: Parameters<typeof keepListing>[0],
  known: ToolSnapshot | null,
  ingested: IngestedServer,
): Promise<void> {
  const { serverId, status } = ingested.listing;
  if (status === 'failed' || serverId === null || parts.store.servers.get(serverId) === null)
    return;
  if (known === null || !(await hasSameTools(known, ingested.listing, ingested.tools)))
    await keepListing(parts, serverId, ingested, 'evaluation');
}

/** Whether a snapshot has the same tools and instructions of a server, by content hash. */
export async function hasSameTools(
  known: ToolSnapshot,
  listing: Pick<IngestedServer['listing'], 'server' | 'instructions'>,
  tools: IngestedServer['tools'],
): Promise<boolean> {
  const hashes = new Map(
    known.tools
      .filter(({ server }) => server === listing.server)
      .map(({ name, hash }) => [name, hash]),
  );
  if (
    hashes.size !== tools.length ||
    known.servers.find(({ server }) => server === listing.server)?.instructions !==
      listing.instructions
  )
    return false;
  const yieldIfDue = createYielder();
  for (const { tool, raw } of tools) {
    if (hashes.get(tool.name) !== hashTool(raw)) return false;
    await yieldIfDue();
  }
  return true;
}

/** The last listing of a server, with the token count of each tool. */
export async function readListing(store: Store, serverId: string): Promise<Listing | null> {
  const latest = store.serverListings.latest(serverId);
  const head = latest === null ? null : store.toolSnapshots.head(latest.snapshotId);
  const listing = head?.servers[0];
  if (latest === null || head === null || listing === undefined) return null;
  const yieldIfDue = createYielder();
  const tools: Listing['tools'] = [];
  for (let offset = 0; ; offset += batchSize) {
    const part = store.toolSnapshots.page(head.id, offset, batchSize);
    const counts = await tokensOf(
      store,
      part.map(({ hash }) => hash),
      'cl100k_base',
    );
    for (const { snapshotToolId: _id, ...tool } of part) {
      tools.push({ ...limitSchemaDepth(tool), tokenCount: counts.get(tool.hash)?.tokenCount ?? 0 });
      await yieldIfDue();
    }
    if (part.length < batchSize)
      return {
        serverId,
        snapshotId: head.id,
        listedAt: latest.createdAt,
        askedBy: latest.askedBy,
        listing,
        tools,
      };
  }
}
