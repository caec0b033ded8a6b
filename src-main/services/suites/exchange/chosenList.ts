import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';

export interface ListChoice {
  /** `cases`, `suites[].cases` of every suite, `tools{}` of the members of an object; `[]`: the whole. */
  path: string;
  entries: number;
}

/** An entry of a list that a person chose. */
export interface ChosenEntry {
  value: JsonObject;
  path: JsonPath;
  /** Its name in an object; null in a list. */
  key: string | null;
}

const maxDepth = 8;
const maxLists = 40;
/** Of an object with more members, each is one of the same kind. */
const maxNamed = 6;

type Visit = (list: string, entry: () => ChosenEntry) => void;

/** The lists of a document, in its order, with their entries. */
export function listsOf(document: JsonValue): ListChoice[] {
  const counts = new Map<string, number>();
  walk(document, [], '', {}, (list) => {
    if (counts.has(list) || counts.size < maxLists) counts.set(list, (counts.get(list) ?? 0) + 1);
  });
  return [...counts].map(([path, entries]) => ({ path, entries }));
}

/**
 * The entries of a list that a person chose, each with the fields of the objects around it that it
 * has no own of: one case for each turn of each session, say.
 */
export function entriesOf(document: JsonValue, chosen: string): ChosenEntry[] {
  const found: ChosenEntry[] = [];
  walk(document, [], '', {}, (list, entry) => {
    if (list === chosen) found.push(entry());
  });
  return found;
}

export const listAround = (path: JsonPath): string =>
  path
    .slice(0, -1)
    .reduce<string>(
      (list, part) =>
        typeof part === 'number' ? `${list}[]` : list === '' ? part : `${list}.${part}`,
      '',
    ) || '[]';

const isText = (value: JsonValue): value is string =>
  typeof value === 'string' && /\S\s+\S/.test(value);

/** What an object says of all that is in it: its fields besides the lists and objects. */
function fieldsAround(object: JsonObject, around: JsonObject, name: string): JsonObject {
  const fields: JsonObject = { ...around };
  for (const [member, value] of Object.entries(object))
    if (
      typeof value !== 'object' ||
      (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    )
      fields[Object.hasOwn(around, member) ? `${name}.${member}` : member] = value;
  return fields;
}

function walk(
  value: JsonValue,
  path: JsonPath,
  list: string,
  around: JsonObject,
  visit: Visit,
): void {
  if (path.length > maxDepth || typeof value !== 'object' || value === null) return;
  const name = path.findLast((part) => typeof part === 'string') ?? 'around';
  const enter = (each: JsonValue, at: string | number, shape: string, inner: JsonObject): void =>
    walk(each, [...path, at], shape, inner, visit);
  const give = (each: JsonValue, at: string | number, shape: string, key: string | null): void =>
    visit(shape, () => ({
      value: { ...around, ...(isJsonObject(each) ? each : { text: each }) },
      path: [...path, at],
      key,
    }));
  if (Array.isArray(value)) {
    const shape = list === '' ? '[]' : list;
    const inside = list === '' ? '[]' : `${list}[]`;
    for (const [at, each] of value.entries()) {
      if (isJsonObject(each) || isText(each)) give(each, at, shape, null);
      if (Array.isArray(each)) enter(each, at, inside, around);
      else if (isJsonObject(each)) enterMembers(each, at, inside);
    }
    return;
  }
  const entries = Object.entries(value);
  // Members that are records, or texts by the name of what they are for.
  if (entries.length > 1 && entries.every(([, each]) => isJsonObject(each))) {
    for (const [key, each] of entries) {
      give(each, key, `${list}{}`, key);
      enterMembers(each as JsonObject, key, `${list}{}`);
    }
    // Few members may be lists of different things.
    if (entries.length > maxNamed || path.length > 1) return;
  }
  const inner = fieldsAround(value, around, name);
  for (const [member, each] of entries)
    enter(each, member, list === '' ? member : `${list}.${member}`, inner);

  function enterMembers(object: JsonObject, at: string | number, shape: string): void {
    const own = fieldsAround(object, around, name);
    for (const [member, each] of Object.entries(object))
      walk(each, [...path, at, member], `${shape}.${member}`, own, visit);
  }
}
