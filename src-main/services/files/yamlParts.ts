import { deserialize, serialize } from 'node:v8';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { AcceptsPart, JsonParts } from './jsonParts.ts';
import { inspectValue } from './plainJson.ts';
import { readPlainYaml } from './plainYaml.ts';
import { limits, YamlTree, type TokenCount } from './yamlTree.ts';

const sizes = {
  /** A shorter text has a tree of little size. */
  minLength: 1024 * 1024,
  /** Entries are read together up to this length. */
  partLength: 16 * 1024,
  /** Entries are shown and kept together from this length on. */
  packedLength: 512 * 1024,
};

/** More than a whole tree may have, because there is never one of all of it: about 50,000 cases. */
const maxTokens = 4_000_000;

/**
 * The value of a long YAML text that is a list, or a mapping with one long list, such as the cases of
 * a suite: the list is read some entries at a time, so that there is never a tree of all of it. Undefined for
 * every other text, and for one with any problem, alias or directive: the whole tree says more.
 */
export function readYamlList(text: string, given = sizes): JsonValue | undefined {
  const items: JsonValue[] = [];
  const read = visitEntries(text, given, (entries) => {
    for (const each of entries) items.push(each);
    return true;
  });
  return read && documentOf(read, items);
}

/**
 * The parts of such a text whose values are all JSON and accepted: there are never the values of all of
 * it, only their bytes.
 */
export function readYamlParts(
  text: string,
  given = sizes,
  accepts: AcceptsPart = () => true,
): JsonParts | undefined {
  const packed: { bytes: Buffer; count: number }[] = [];
  const around = visitYamlParts(text, given, (part, path, entries) => {
    packed.push({ bytes: serialize(entries), count: part.count });
    return accepts(part, path);
  });
  return (
    around && {
      path: pathOf(around),
      *parts() {
        let from = 0;
        for (const { bytes, count } of packed) {
          yield { document: documentOf(around, deserialize(bytes) as JsonValue[]), from, count };
          from += count;
        }
      },
    }
  );
}

/**
 * Shows each such part to `accepts`, once, and keeps none. Undefined if there is none, or one isn’t accepted:
 * what was shown counts for nothing then.
 */
export function visitYamlParts(
  text: string,
  given: typeof sizes | undefined = sizes,
  accepts: (...args: [...Parameters<AcceptsPart>, entries: JsonValue[]]) => boolean,
): Around | undefined {
  let open: JsonValue[] = [];
  let [length, from] = [0, 0];
  const show = (around: Around): boolean => {
    const entries = open;
    const part = { document: documentOf(around, entries), from, count: entries.length };
    open = [];
    length = 0;
    from += part.count;
    return (
      inspectValue(part.document).problems.length === 0 && accepts(part, pathOf(around), entries)
    );
  };
  const around = visitEntries(text, given, (entries, taken, of) => {
    for (const each of entries) open.push(each);
    return (length += taken) < given.packedLength || show(of);
  });
  return around !== undefined && (open.length === 0 || show(around)) ? around : undefined;
}

interface Around {
  /** The name of the list; null: it is all of the text. */
  name: string | null;
  /** The other values. */
  others: JsonObject;
}

const documentOf = ({ name, others }: Around, entries: JsonValue[]): JsonValue =>
  name === null ? entries : { ...others, [name]: entries };
const pathOf = ({ name }: Around): string[] => (name === null ? [] : [name]);

/**
 * Visits the entries of the long list of a text, some at a time, each with the length of their text.
 * Undefined if there is none, or any problem, or `visit` says no: what was visited counts for nothing then.
 */
function visitEntries(
  text: string,
  { minLength, partLength }: typeof sizes,
  visit: (entries: readonly JsonValue[], length: number, around: Around) => boolean,
): Around | undefined {
  if (text.length < minLength) return undefined;
  const list = findList(text);
  if (list === null) return undefined;
  const { name, start, end, entries } = list;
  const counted: TokenCount = { tokens: 0, most: maxTokens };
  const rest = `${text.slice(0, start)}${name === null ? '' : ' []'}\n${text.slice(end)}`;
  const head = valueOf(rest, 0, counted);
  if (name === null ? head !== null : !isJsonObject(head) || !Array.isArray(head[name]))
    return undefined;
  const around: Around = { name, others: isJsonObject(head) ? head : {} };
  for (let at = 0; at < entries.length;) {
    const from = entries[at] ?? end;
    let to = from;
    while (at < entries.length && to - from < partLength) to = entries[(at += 1)] ?? end;
    const source = text.slice(from, to);
    const part = readPlainYaml(source, limits.depth - 1) ?? valueOf(source, 1, counted);
    if (!Array.isArray(part)) return undefined;
    if (!visit(part, to - from, around)) return undefined;
    if (isTooDense(counted.tokens, to - start, end - start)) return undefined;
  }
  return around;
}

/** Whether the rest of the text, with as many tokens for its length, will have too many. */
const isTooDense = (tokens: number, read: number, length: number): boolean =>
  read > length / 50 && (tokens / read) * length > 1.1 * maxTokens;

/** The value of a text without any problem, alias or directive; undefined for every other. */
function valueOf(text: string, above: number, counted: TokenCount): JsonValue | undefined {
  if (/^%/m.test(text)) return undefined;
  const { tree } = YamlTree.parse(text, 'core', counted);
  const read = tree?.toValue(above);
  return read?.problems.length === 0 && read.repeated === 0 ? read.value : undefined;
}

interface LongList {
  /** Null: the list is all of the text. */
  name: string | null;
  /** Behind the colon of its name, or where its first entry is. */
  start: number;
  /** Where the mapping goes on. */
  end: number;
  /** Where its entries begin. */
  entries: number[];
}

/**
 * The list that is most of the text, by its indentation alone: a cut through a quoted text or a flow
 * leaves a part that isn't closed, and so can't be read.
 */
function findList(text: string): LongList | null {
  const top = /^(?:[ \t]*(?:#.*)?\r?\n|---[ \t]*\r?\n)*( *)-[ \t\r\n]/.exec(text);
  if (top !== null) {
    const first = top[0].length - (top[1]?.length ?? 0) - 2;
    const { entries, end } = entriesFrom(text, first, top[1] ?? '');
    return end < text.length ? null : { name: null, start: first, end, entries };
  }
  const names = /^([A-Za-z_][\w-]*):[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)-[ \t\r\n]/gm;
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const [whole, name = '', indent = ''] = found;
    const first = found.index + whole.length - indent.length - 2;
    const { entries, end } = entriesFrom(text, first, indent);
    const start = found.index + name.length + 1;
    if (end - first > text.length / 2) return { name, start, end, entries };
    names.lastIndex = end;
  }
  return null;
}

/** Where the entries of a list begin, and where it ends. */
function entriesFrom(
  text: string,
  first: number,
  indent: string,
): { entries: number[]; end: number } {
  const entries: number[] = [];
  let at = first;
  while (at < text.length && !endsList(text, at, indent)) {
    if (text.startsWith(`${indent}-`, at) && isBlank(text, at + indent.length + 1))
      entries.push(at);
    const next = text.indexOf('\n', at);
    at = next < 0 ? text.length : next + 1;
  }
  return { entries, end: at };
}

const isBlank = (text: string, at: number): boolean => ' \t\r\n'.includes(text.charAt(at));

/** Whether the line that begins at `at` has a value at the left edge that is no entry of the list. */
function endsList(text: string, at: number, indent: string): boolean {
  if (isBlank(text, at) || text[at] === '#') return false;
  return !(indent === '' && text[at] === '-' && isBlank(text, at + 1));
}
