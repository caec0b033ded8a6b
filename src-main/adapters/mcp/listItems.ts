import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { itemKinds, type ItemKind } from '../../../src-shared/domain/itemKinds.ts';
import type { ItemList, ReceivedItem, ServerItem } from '../../../src-shared/domain/serverItem.ts';
import type { ListedEntries, ListKind } from './listPages.ts';
import type { ListedItems } from './mcpConnection.ts';
import { itemListKind } from './parseItem.ts';

interface ItemSource {
  server: string;
  /** Which kinds the server announced. Others are not requested. */
  offers: Record<ItemKind, boolean>;
  /** Lists one kind; null if the server doesn't know it. */
  list: (kind: ListKind<ServerItem>) => Promise<ListedEntries<ServerItem> | null>;
}

/**
 * Lists prompts, resources and resource templates at the same time, each with a deadline of its
 * own. A kind that fails says why and affects no other.
 */
export async function listItems(source: ItemSource, signal: AbortSignal): Promise<ListedItems> {
  const listed = await Promise.all(itemKinds.map((kind) => listKind(source, kind, signal)));
  return {
    items: listed.flatMap(({ items }) => items),
    lists: listed.map(({ list }) => list),
  };
}

async function listKind(
  { server, offers, list }: ItemSource,
  kind: ItemKind,
  signal: AbortSignal,
): Promise<{ items: ReceivedItem[]; list: ItemList }> {
  const about = { kind, error: null, rejected: [] };
  const missing = { items: [], list: { ...about, status: 'not offered' as const } };
  if (!offers[kind]) return missing;
  try {
    const found = await list(itemListKind(server, kind));
    return found === null
      ? missing
      : {
          items: found.entries.map(({ entry, raw }) => ({ item: entry, raw })),
          list: { ...about, status: 'listed', rejected: found.rejected },
        };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    const { cause, nextStep } = error.data;
    return { items: [], list: { ...about, status: 'failed', error: `${cause} ${nextStep}` } };
  }
}
