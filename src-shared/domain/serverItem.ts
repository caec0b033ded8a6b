import { z } from 'zod';
import { itemKindNouns, itemKinds, type ItemKind } from './itemKinds.ts';

export const itemKind = z.enum(itemKinds);

const promptArgument = z.object({
  name: z.string(),
  description: z.string().nullable(),
  required: z.boolean(),
});

/** A prompt, a resource or a resource template as its server published it. */
const serverItem = z.object({
  server: z.string(),
  kind: itemKind,
  name: z.string(),
  title: z.string().nullable(),
  /** "" if the server gave none. */
  description: z.string(),
  /** The address of a resource, or the pattern of a template; null for a prompt. */
  uri: z.string().nullable(),
  mimeType: z.string().nullable(),
  /** Empty for everything but a prompt. */
  arguments: z.array(promptArgument),
});
export type ServerItem = z.infer<typeof serverItem>;

/** What no other item of its kind may have: the name of a prompt, else the address. */
export const itemKey = ({ name, uri }: Pick<ServerItem, 'name' | 'uri'>): string => uri ?? name;

/** An item as signals and changes name it: `prompt summary`. */
export const itemLabel = (kind: ItemKind, key: string): string => `${itemKindNouns[kind]} ${key}`;

export const itemReference = z.object({ kind: itemKind, key: z.string() });

/** An item that is not used, because it has no name or address, or repeats one. */
const rejectedItem = z.object({ name: z.string(), reason: z.string() });

/**
 * How the listing of one kind went. A kind that its server doesn't offer has no items; of one that
 * failed, none are known.
 */
export const itemList = z.object({
  kind: itemKind,
  status: z.enum(['listed', 'not offered', 'failed']),
  error: z.string().nullable(),
  rejected: z.array(rejectedItem),
});
export type ItemList = z.infer<typeof itemList>;

/** An item with the exact text that its server sent, which is what is hashed and counted. */
export interface ReceivedItem {
  item: ServerItem;
  raw: string;
}

/** A stored item; `hash` identifies its content. */
export const snapshotItem = serverItem.extend({ hash: z.string() });
export type SnapshotItem = z.infer<typeof snapshotItem>;
