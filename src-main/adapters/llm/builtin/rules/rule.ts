import type { JsonValue } from '../../../../../src-shared/domain/json.ts';
import { overlapsAny, type Mention, type Span } from '../mention.ts';
import type { QueryReading } from '../queryReading.ts';
import type { Slot } from '../slots.ts';

export interface RuleInput {
  slot: Slot;
  reading: QueryReading;
  /** Parts of the query that other parameters use already: no word is used twice. */
  taken: readonly Span[];
  /** True for stems that name the chosen tool, related words included: intent, not content. */
  isToolWord: (stem: string) => boolean;
  /** The parameters that have no value yet, this one among them. */
  open: readonly Slot[];
}

export interface Found {
  value: JsonValue;
  /** The part of the query that it came from; null where it came from the schema. */
  span: Span | null;
}

/**
 * One way of finding the value of a parameter. No value is invented: it comes from the query or, as
 * `const` or `default`, from the schema.
 */
export type Rule = (input: RuleInput) => Found | null;

export function free<M extends Span>(mentions: readonly M[], taken: readonly Span[]): M[] {
  return taken.length === 0
    ? [...mentions]
    : mentions.filter((mention) => !overlapsAny(mention, taken));
}

export const foundIn = (mention: Mention<JsonValue> | undefined): Found | null =>
  mention ? { value: mention.value, span: mention } : null;

/** The kinds of content that the last word of a parameter's name stands for. */
const kinds = {
  title: 'title name label heading headline subject caption',
  note: 'description desc detail details note notes comment comments remark remarks reason',
  text:
    'text content contents message body query prompt question search keyword keywords topic ' +
    'phrase sentence term terms input task item todo expression statement sql code q thought ' +
    'summary',
  path: 'path paths file files filename filepath directory folder dir source destination src dest',
  url: 'url urls uri link href website webpage site endpoint page',
  email: 'email emails mail recipient recipients to cc bcc sender from attendee attendees address',
  date: 'date day deadline due when start end since until from to after before at on period timeframe',
  time: 'time hour start end when at',
} as const;
export type Kind = keyof typeof kinds;
const kindSets = new Map(
  Object.entries(kinds).map(([kind, list]) => [kind, new Set(list.split(' '))]),
);

export function isKind(slot: Slot, kind: Kind): boolean {
  const set = kindSets.get(kind);
  const last = slot.words.at(-1);
  if (!set || last === undefined) return false;
  // The last word of an English compound is its head: `file_name` is a name, `due_date` a date.
  return set.has(last);
}

const idWords = new Set('id ids uuid guid identifier key ref username login'.split(' '));
export function isIdentifier(slot: Slot): boolean {
  const last = slot.words.at(-1) ?? '';
  return idWords.has(last);
}

/** The text from an offset to the end of its clause; null where there is none. */
export function clauseFrom(text: string, from: number): Mention<string> | null {
  const rest = text.slice(from);
  const clause =
    /^\s*(.*?)\s*(?=[\n;.!?](?:\s|$)|,\s|$|\s(?:with|and)\s(?:the\s|a\s|an\s)?(?:description|details?|notes?|title|name|priority|due)\b|\swith\s\d|\s(?:for|as)\s(?:the\s)?user\b)/su.exec(
      rest,
    );
  const value = clause?.[1] ?? '';
  const start = from + rest.indexOf(value);
  return value === '' ? null : { value, start, end: start + value.length };
}
