import { createYielder, yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import type { Listing } from '../../../src-shared/contract/servers.ts';
import type { SnapshotTool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { ItemReference, PreparedItem } from '../../store/servers/serverItems.ts';
import type { StoredListing } from '../../store/servers/serverListings.ts';
import type { Store } from '../../store/store.ts';
import { hashTool, type PreparedTool } from '../../store/servers/toolSnapshots.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { limitSchemaDepth } from './limitSchemaDepth.ts';
import { maxShownText, shortenInstructions, shortenText } from './shortenText.ts';
import type { IngestedServer } from './ingestTools.ts';

/** Tools that are written or read before yielding, and their bytes unless it is a single one. */
const maxBatchTools = 25;
const maxBatchBytes = 1 << 18;

/** Consecutive tools that are written or read at once: from where, and how many. */
function* batchesOf(sizes: readonly number[]): Generator<{ at: number; count: number }> {
  let [at, bytes] = [0, 0];
  for (const [index, size] of sizes.entries()) {
    const count = index - at;
    if (count > 0 && (count === maxBatchTools || bytes + size > maxBatchBytes)) {
      yield { at, count };
      [at, bytes] = [index, 0];
    }
    bytes += size;
  }
  if (at < sizes.length) yield { at, count: sizes.length - at };
}

export interface ListingParts {
  store: Store;
  tokens: TokenCounts;
  clock: Pick<Clock, 'now'>;
  nextId: NextId;
}

/**
 * Stores a listing in batches, so that the event loop stays free. It counts only after the last
 * step has linked the batches.
 */
export async function keepListing(
  { store, tokens, clock, nextId }: ListingParts,
  serverId: string,
  ingested: IngestedServer,
  askedBy: StoredListing['askedBy'] = 'person',
): Promise<void> {
  const { tools } = ingested;
  const yieldIfDue = createYielder();
  const stored: { serverId: string; server: string; hash: string }[] = [];
  const batches = [...batchesOf(tools.map(({ raw }) => raw.length))];
  for (const { at, count } of batches) {
    const prepared: PreparedTool[] = [];
    for (const tool of tools.slice(at, at + count)) {
      const ready = store.toolSnapshots.prepare(tool);
      prepared.push(ready);
      stored.push({ serverId, server: tool.tool.server, hash: ready.hash });
      await yieldIfDue();
    }
    store.toolSnapshots.keep(prepared);
    await yieldIfDue();
  }
  const { listing, items } = await keepItems(store, serverId, ingested);
  const content = store.toolSnapshots.describeKept({
    servers: [listing],
    tools: stored,
    items: items.map(({ hash }) => hash),
  });
  // Instructions can be as large as a tool: they are written in one turn, and read in another.
  await yieldToEventLoop();
  store.transaction(() => {
    const snapshotId = store.toolSnapshots.freezeKept(content);
    store.serverItems.link(snapshotId, items);
    store.serverListings.add({
      id: nextId(),
      serverId,
      snapshotId,
      createdAt: clock.now(),
      askedBy,
    });
  });
  await yieldToEventLoop();
  await tokens.ahead(stored.map(({ hash }) => hash));
  await tokens.ahead(
    items.map(({ hash }) => hash),
    [itemEncoding],
  );
}

/** In which the tokens of items are counted. */
const itemEncoding = 'cl100k_base';

/**
 * Stores what a server offers besides tools. A listing of tools alone, as evaluations make it, keeps
 * the items of the listing before it: they are the last that are known.
 */
async function keepItems(
  store: Store,
  serverId: string,
  { listing, items }: IngestedServer,
): Promise<{ listing: IngestedServer['listing']; items: ItemReference[] }> {
  if (items === undefined) {
    const latest = store.serverListings.latest(serverId);
    const lists = latest && store.toolSnapshots.head(latest.snapshotId)?.servers[0]?.items;
    return lists
      ? {
          listing: { ...listing, items: lists },
          items: store.serverItems.references(latest.snapshotId),
        }
      : { listing, items: [] };
  }
  const yieldIfDue = createYielder();
  const kept: ItemReference[] = [];
  for (const { at, count } of batchesOf(items.map(({ raw }) => raw.length))) {
    const prepared: PreparedItem[] = [];
    for (const item of items.slice(at, at + count)) {
      prepared.push(store.serverItems.prepare(item));
      await yieldIfDue();
    }
    store.serverItems.keep(prepared);
    kept.push(...prepared.map(({ kind, key, hash }) => ({ kind, key, hash })));
    await yieldIfDue();
  }
  return { listing, items: kept };
}

/**
 * Stores what came of listing a server's tools, whoever asked for them: the tools, unless `known`
 * has the same content, or why they could not be listed. Its status is a matter of checks only.
 */
export async function keepAnswer(
  parts: ListingParts,
  known: ToolSnapshot | null,
  ingested: IngestedServer,
  askedBy: StoredListing['askedBy'],
): Promise<void> {
  const { serverId, status, error } = ingested.listing;
  if (serverId === null || parts.store.servers.get(serverId) === null) return;
  parts.store.servers.setToolsError(serverId, error);
  if (status === 'failed') return;
  if (known === null || !(await hasSameTools(known, ingested.listing, ingested.tools)))
    await keepListing(parts, serverId, ingested, askedBy);
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

/**
 * The last listing of a server, with the token count of each tool. A large tool is counted in the
 * background, so its count may still be missing. Unless the texts are wanted whole, only the
 * beginning of a large one is read: nobody reads megabytes on a screen, and sending them there
 * would hold up everything else.
 */
export async function readListing(
  store: Store,
  tokens: TokenCounts,
  serverId: string,
  whole = false,
): Promise<Listing | null> {
  const latest = store.serverListings.latest(serverId);
  const head = latest === null ? null : store.toolSnapshots.head(latest.snapshotId);
  const listing = head?.servers[0];
  if (latest === null || head === null || listing === undefined) return null;
  await yieldToEventLoop();
  const yieldIfDue = createYielder();
  const tools: Listing['tools'] = [];
  const sizes = store.toolSnapshots.sizes(head.id);
  const times = store.serverListings.toolTimes(serverId, head.id);
  for (const { at, count } of batchesOf(sizes)) {
    // A large tool is a batch of its own.
    const part =
      whole || !tokens.isLargeText(sizes[at] ?? 0)
        ? store.toolSnapshots.page(head.id, at, count)
        : [excerptOf(store, head.id, at)];
    await yieldIfDue();
    const counts = await tokens.soon(
      part.map(({ hash }) => hash),
      'cl100k_base',
    );
    for (const { snapshotToolId: _id, ...tool } of part) {
      const counted = counts.get(tool.hash);
      tools.push({
        ...limitSchemaDepth(tool),
        createdAt: times.created.get(tool.name) ?? latest.createdAt,
        lastUpdated: times.updated.get(tool.hash) ?? latest.createdAt,
        tokenCount: counted?.tokenCount ?? null,
        ...(counted?.bodyTokens === undefined ? {} : { bodyTokens: counted.bodyTokens }),
        large: tokens.isLarge(tool.hash),
        countProblem: tokens.problemOf(tool.hash, 'cl100k_base'),
      });
      await yieldIfDue();
    }
  }
  return {
    serverId,
    snapshotId: head.id,
    listedAt: latest.createdAt,
    askedBy: latest.askedBy,
    listing: whole ? listing : { ...listing, ...shortenInstructions(listing) },
    tools,
    items: await readItems(store, tokens, head.id, listing.server, whole),
  };
}

/** The items of a snapshot with their token counts. Unless wanted whole, long texts are cut. */
async function readItems(
  store: Store,
  tokens: TokenCounts,
  snapshotId: string,
  server: string,
  whole: boolean,
): Promise<Listing['items']> {
  const items = store.serverItems.of(snapshotId, server);
  if (items.length === 0) return [];
  const counts = await tokens.soon(
    items.map(({ hash }) => hash),
    itemEncoding,
  );
  return items.map((item) => ({
    ...item,
    ...(whole ? {} : { description: shortenText(item.description) }),
    tokenCount: counts.get(item.hash)?.tokenCount ?? null,
  }));
}

function excerptOf(store: Store, snapshotId: string, position: number): SnapshotTool {
  const tool = store.toolSnapshots.excerpt(snapshotId, position, maxShownText + 1);
  return { ...tool, description: shortenText(tool.description) };
}
