import type { QueryReading } from './queryReading.ts';
import type { Slot } from './slots.ts';

/** Kinds of values that a person gives on purpose, so that they tell which tool is meant. */
export type ValueKind = 'email' | 'url' | 'path' | 'id';

/** The kinds of values that a tool takes, and those of them that it requires. */
export interface TakenKinds {
  all: ReadonlySet<ValueKind>;
  required: ReadonlySet<ValueKind>;
}

const pathWords = ['path', 'file', 'folder', 'directory', 'filename'];
const idWords = ['id', 'number', 'uuid'];
/** "message 402", "#31": a noun or a sign before a number that isn't a time, a date or an amount. */
const numbered =
  /(?:#|\b(?!(?:at|to|by|of|for|than|about|from|the|and|until|after|before|over|under|in|on)\s)\p{L}{3,}\s+#?)\d{1,9}\b(?!\s*(?:minutes?|hours?|days?|weeks?|months?|years?|am\b|pm\b|%|[:/.-]\d))/iu;

export function kindsGiven(reading: QueryReading): Set<ValueKind> {
  const given = new Set<ValueKind>();
  if (reading.emails.length > 0) given.add('email');
  if (reading.urls.length > 0) given.add('url');
  if (reading.paths.length > 0) given.add('path');
  if (reading.uuids.length > 0 || numbered.test(reading.text)) given.add('id');
  return given;
}

export function kindsTaken(slots: readonly Slot[]): TakenKinds {
  const kinds = slots.map((slot) => ({ slot, kinds: kindsOfSlot(slot) }));
  return {
    all: new Set(kinds.flatMap((entry) => entry.kinds)),
    required: new Set(kinds.flatMap((entry) => (entry.slot.required ? entry.kinds : []))),
  };
}

function kindsOfSlot({ schema, words }: Slot): ValueKind[] {
  const { format, description } = schema;
  const text = typeof description === 'string' ? description : '';
  const says = (list: readonly string[]): boolean => words.some((word) => list.includes(word));
  const kinds: ValueKind[] = [];
  if (
    format === 'email' ||
    says(['email']) ||
    /\be-?mail address|\baddress(?:es)? of\b/iu.test(text)
  )
    kinds.push('email');
  if (format === 'uri' || says(['url', 'uri'])) kinds.push('url');
  if (says(pathWords)) kinds.push('path');
  if (says(idWords)) kinds.push('id');
  return kinds;
}

/**
 * How well the values of a query fit a tool: of the kinds that the query gives or the tool requires,
 * the share that is both given and taken; 0.5 where no such kind is involved. Range 0–1.
 */
export function valueFit(given: ReadonlySet<ValueKind>, { all, required }: TakenKinds): number {
  let involved = given.size;
  let fitting = 0;
  for (const kind of given) if (all.has(kind)) fitting += 1;
  for (const kind of required) if (!given.has(kind)) involved += 1;
  return involved === 0 ? 0.5 : fitting / involved;
}
