import { isDeepStrictEqual } from 'node:util';
import { ProtocolError } from '@modelcontextprotocol/client';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { McpLimits } from './limits.ts';
import { faults, type ListMethod } from './troubles.ts';

/** What one kind of list holds, and how an entry of it is read. */
export interface ListKind<Entry> {
  method: ListMethod;
  /** The member of an answer that holds the entries. */
  member: string;
  noun: string;
  /** An entry, or why it can't be used. It says nothing about the others. */
  read(value: unknown, position: number): Entry | { name: string; reason: string };
  /** What no other entry of the list may have, and how a message names it. */
  keyOf(entry: Entry): string;
  keyName: string;
  nameOf(entry: Entry): string;
}

export interface ListOptions {
  limits: McpLimits;
  ask: (params: JsonObject) => Promise<JsonObject>;
  signal: AbortSignal;
}

export interface ListedEntries<Entry> {
  entries: { entry: Entry; raw: string }[];
  rejected: { name: string; reason: string }[];
}

/**
 * Requests every page of a list and reads each entry by itself. Returns the whole list or throws an
 * error that names the limit.
 */
export async function listPages<Entry extends object>(
  kind: ListKind<Entry>,
  { limits, ask, signal }: ListOptions,
): Promise<ListedEntries<Entry>> {
  const { noun } = kind;
  const entries: ListedEntries<Entry>['entries'] = [];
  const rejected: ListedEntries<Entry>['rejected'] = [];
  const keys = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let count = 0;
  let bytes = 0;
  let before: unknown[] = [];
  const yieldIfDue = createYielder();
  for (let page = 1; ; page += 1) {
    if (page > limits.listPages)
      throw faults.overLimit(`the list has more than ${limits.listPages} pages`, noun);
    // An empty text is a valid cursor, but many servers mean the end of the list by it. They answer it
    // with the same page or with an error.
    const isMaybeEnd = cursor === '';
    const answer = await ask(cursor === undefined ? {} : { cursor }).catch((error: unknown) => {
      if (isMaybeEnd && error instanceof ProtocolError) return null;
      throw error;
    });
    if (answer === null) return { entries, rejected };
    // A large answer was just parsed in this turn.
    await yieldIfDue();
    const list = answer[kind.member];
    if (!Array.isArray(list)) throw faults.wrongShape(`has no list of ${noun}s`);
    if (isMaybeEnd && isDeepStrictEqual(list, before)) return { entries, rejected };
    before = list;
    for (const value of list) {
      count += 1;
      if (count > limits.listTools)
        throw faults.overLimit(`the list has more than ${limits.listTools} ${noun}s`, noun);
      const entry = kind.read(value, count);
      // Writing the text of a large entry takes as long as checking it.
      await yieldIfDue();
      if ('reason' in entry) rejected.push(entry);
      else if (keys.has(kind.keyOf(entry)))
        rejected.push({
          name: kind.nameOf(entry),
          reason: `The server lists another ${noun} with this ${kind.keyName} first; that one is kept.`,
        });
      else {
        const raw = JSON.stringify(value);
        keys.add(kind.keyOf(entry));
        entries.push({ entry, raw });
        bytes += Buffer.byteLength(raw);
        if (bytes > limits.listBytes)
          throw faults.overLimit(`the list is larger than ${formatBytes(limits.listBytes)}`, noun);
      }
      await yieldIfDue();
      signal.throwIfAborted();
    }
    const next = answer['nextCursor'];
    if (next === undefined || next === null) return { entries, rejected };
    if (typeof next !== 'string') throw faults.wrongShape("has a cursor that isn't a string");
    if (cursors.has(next))
      throw faults.overLimit(
        'the server sent the same cursor twice, so the list would never end',
        noun,
      );
    cursors.add(next);
    cursor = next;
  }
}
