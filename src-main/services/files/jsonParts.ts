import { maxSuiteFileBytes } from '../../../src-shared/contract/suites.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { exceedsDepth } from '../../scoring/depth.ts';
import { countNames, endOfString, inspectValue } from './plainJson.ts';
import { limits } from './yamlTree.ts';

const sizes = {
  /** A shorter text has values of little size. */
  minLength: 4 * 1024 * 1024,
  /** Entries are read together from this length on. */
  partLength: 512 * 1024,
};

/** Lists further inside are parts of records. */
const maxListDepth = 3;

export interface JsonPart {
  document: JsonValue;
  /** Place of its first entry in the whole list. */
  from: number;
  count: number;
}

/** Whether the entries of a part are what its reader looks for, below the names that lead to the list. */
export type AcceptsPart = (part: JsonPart, path: readonly string[]) => boolean;

export interface JsonParts {
  path: readonly string[];
  /** As often as it is called: no part is kept. */
  parts: () => Iterable<JsonPart>;
}

/**
 * The parts of a long JSON text that is a list, or objects around one long list, such as the cases of
 * an evaluation set: there are never the values of all of it. Undefined for every other text, for one
 * with any problem (only the whole text says what it is, and where), and for one with a part that
 * isn’t accepted. The text is checked once: when the parts are read again, nothing is.
 */
export function readJsonParts(
  text: string,
  { minLength = sizes.minLength, partLength = sizes.partLength } = {},
  accepts: AcceptsPart = () => true,
): JsonParts | undefined {
  if (text.length < minLength || Buffer.byteLength(text) > maxSuiteFileBytes) return undefined;
  const list = findList(text, partLength);
  if (list === null) return undefined;
  const { path, start, end, cuts } = list;
  const around = valueOf(`${text.slice(0, start + 1)}${text.slice(end)}`, 0);
  if (around === undefined || at(around, path) === undefined) return undefined;
  const textOf = (index: number): string =>
    text.slice((cuts[index - 1] ?? start) + 1, cuts[index] ?? end);
  const partOf = (entries: JsonValue[], from: number): JsonPart => ({
    ...{ document: withEntries(around, path, entries), from, count: entries.length },
  });
  let count = 0;
  for (let index = 0; index <= cuts.length; index += 1) {
    const part = textOf(index);
    // A comma without an entry is no JSON.
    const entries = part.trim() === '' ? undefined : valueOf(`[${part}]`, path.length);
    if (!Array.isArray(entries) || !accepts(partOf(entries, count), path)) return undefined;
    count += entries.length;
  }
  return {
    path,
    *parts() {
      for (let index = 0, from = 0; index <= cuts.length; index += 1) {
        const entries = parseJson(`[${textOf(index)}]`) as JsonValue[];
        yield partOf(entries, from);
        from += entries.length;
      }
    },
  };
}

/** The value of a JSON text without any problem; undefined for every other. */
function valueOf(text: string, above: number): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = parseJson(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (exceedsDepth(value, limits.depth - above)) return undefined;
  const { problems, names } = inspectValue(value);
  return problems.length === 0 && countNames(text) === names ? value : undefined;
}

/** The empty list at a path; undefined if there is something else, as below a name that is there twice. */
function at(value: JsonValue, path: readonly string[]): JsonValue[] | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return Array.isArray(value) && value.length === 0 ? value : undefined;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
  return at(value[name] ?? null, rest);
}

function withEntries(around: JsonValue, path: readonly string[], entries: JsonValue[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(around)) return entries;
  return { ...around, [name]: withEntries(around[name] ?? null, rest, entries) };
}

interface FoundList {
  path: string[];
  /** Where its brackets are. */
  start: number;
  end: number;
  /** Commas between its entries, one for each part. */
  cuts: number[];
}

interface Open extends FoundList {
  isObject: boolean;
  /** Whether it is below names alone. */
  isOutside: boolean;
}

const code = { quote: 34, comma: 44, listStart: 91, listEnd: 93, start: 123, end: 125 };

/** The list that is most of the text, below names alone; null if there is none or the text is no JSON. */
function findList(text: string, partLength: number): FoundList | null {
  const open: Open[] = [];
  let found: FoundList | null = null;
  let name = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charCodeAt(index);
    const inner = open.at(-1);
    if (sign === code.quote) {
      const end = endOfString(text, index);
      if (end < 0) return null;
      if (inner?.isOutside === true && inner.isObject) name = text.slice(index, end + 1);
      index = end;
    } else if (sign === code.start || sign === code.listStart) {
      if (open.length >= limits.depth) return null;
      const isOutside =
        inner === undefined || (inner.isOutside && inner.isObject && open.length <= maxListDepth);
      const path =
        isOutside && inner !== undefined ? [...inner.path, readName(name)] : (inner?.path ?? []);
      const isObject = sign === code.start;
      open.push({ isObject, isOutside, path, start: index, end: index, cuts: [] });
    } else if (sign === code.comma && inner?.isOutside === true && !inner.isObject) {
      if (index - (inner.cuts.at(-1) ?? inner.start) >= partLength) inner.cuts.push(index);
    } else if (sign === code.end || sign === code.listEnd) {
      if (inner === undefined || inner.isObject !== (sign === code.end)) return null;
      open.pop();
      const isLong = inner.isOutside && !inner.isObject && index - inner.start > text.length / 2;
      if (isLong && inner.cuts.length > 0) found = { ...inner, end: index };
    }
  }
  return open.length === 0 ? found : null;
}

function readName(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}
