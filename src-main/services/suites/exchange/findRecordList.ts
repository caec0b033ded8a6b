import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { recordsOfColumns, recordsOfRows } from './columnLists.ts';
import { expandRecord } from './expandRecord.ts';
import { findFields, noMap, quoteNames, saysExpectation } from './fieldNames.ts';
import { flattenRecord } from './flattenRecord.ts';
import type { Change } from './suiteDraft.ts';
import { joinById } from './joinedLists.ts';
import {
  isRequestsForNone,
  isTexts,
  pairsOf,
  rowsOf,
  turnsOf,
  type KnowsTool,
} from './plainRecords.ts';
import { isEmpty, nonEmptyText, textsOf } from './values.ts';

/** A record of a document, with what the objects around it say for all of theirs. */
export interface FoundRecord {
  value: JsonObject;
  path: JsonPath;
  server: string | null;
  system: string | null;
  tags: readonly string[];
  /** The name under which it stands in an object; null in a list. */
  key: string | null;
  changes?: readonly Change[];
}

export interface FoundList {
  records: FoundRecord[];
  /** Entries of the list that are no objects. */
  broken: JsonPath[];
  name: string | null;
  /** Fields around the records that nothing reads. */
  unread: string[];
}

interface Around {
  server: string | null;
  system: string | null;
  tags: readonly string[];
  isKnown: KnowsTool;
}

interface Candidate {
  records: FoundRecord[];
  broken: JsonPath[];
  score: number;
  /** As a person finds it in the file. */
  shape: string;
  /** Without names of fields: rows of values, or requests by tool. */
  isPlain?: boolean;
}

const maxDepth = 6;
/** Requests by tool are one list, wherever they are in a document: by server, for example. */
const byToolShape = '{*}';
const whole = 6;
/** The score of records that say what is asked alone. */
const asking = 3;
/** More than a list that only asks, less than one whose names say what is expected. */
const plainScore = 4;
/** Records of a list whose names are looked at. */
const sampled = 50;

/**
 * Finds the records of a document: of all lists of objects the one whose records look most like
 * cases. Lists of the same name in the entries of another list, and in the members of an object,
 * are one. A message says why there is none, or not one alone.
 */
export function findRecordList(
  document: JsonValue,
  isKnown: KnowsTool = () => false,
): FoundList | { message: string; path: JsonPath } {
  const candidates = new Map<string, Candidate>();
  collect(document, [], '', { server: null, system: null, tags: [], isKnown }, candidates);
  const all = [...candidates.values()].filter(({ records }) => records.length > 0);
  for (const candidate of all)
    candidate.score = candidate.isPlain === true ? plainScore : scoreOf(candidate.records);
  const best = Math.max(...all.map(({ score }) => score), 0);
  const equal = all.filter(({ score }) => score === best);
  // A list inside the records of another one is a part of them.
  const inside = (shape: string): string => (shape === '[]' ? '[].' : `${shape}[].`);
  const outer = equal.filter(
    ({ shape }) => !equal.some((other) => shape.startsWith(inside(other.shape))),
  );
  // Lists whose names say both what is asked and what is expected are cases, whatever each is called.
  const chosen = best >= whole && outer.length > 1 ? [joined(outer)] : outer;
  // A document that is one case has lists in it, such as its calls.
  const single = best < whole ? alone(document, isKnown) : undefined;
  // Where no list says both, another one may say what is expected of each of its records.
  const [asker] = chosen;
  const both =
    best === asking && single === undefined && asker !== undefined && chosen.length === 1
      ? joinById(document, asker.records)
      : null;
  if (both !== null && asker !== undefined && scoreOf(both) >= whole) asker.records = both;
  const [only, ...others] =
    single === undefined ? (chosen.length === 0 ? alikeIn(document) : chosen) : [single];
  if (only === undefined)
    return Array.isArray(document) && document.length > 0
      ? { message: 'The record isn’t an object.', path: [0] }
      : { message: noList(document), path: [] };
  if (others.length > 0)
    return {
      message: `It has several lists of objects: ${quoteNames(chosen.map(({ shape }) => shape))}. Keep the one with the cases.`,
      path: [],
    };
  return {
    records: only.records,
    broken: only.broken,
    name: isJsonObject(document) ? nonEmptyText(document['name']) : null,
    unread: unreadAround(
      document,
      only.shape.includes('*')
        ? only.records.map(({ path }) => path)
        : only.records.slice(0, 1).map(({ path }) => path),
    ),
  };
}

/** Several lists as one, each with its name as a tag. */
function joined(lists: readonly Candidate[]): Candidate {
  return {
    records: lists.flatMap(({ records, shape }) =>
      records.map((record) => ({
        ...record,
        tags: [...new Set([...record.tags, shape.replaceAll(/\[\]|\{\}/g, '')])],
      })),
    ),
    broken: lists.flatMap(({ broken }) => broken),
    score: whole,
    shape: '*',
  };
}

/** A document that is one case itself. */
function alone(document: JsonValue, isKnown: KnowsTool): Candidate | undefined {
  if (!isJsonObject(document)) return undefined;
  const around = { server: serverOf(document), system: null, tags: [] };
  const record = { value: document, path: [], key: null, ...around };
  const score = scoreOf([record]);
  // What `expected` is, its names of tools say.
  const expects = Object.entries(document).some(
    ([name, value]) =>
      /^expect(?:s|ed)?$/i.test(name) &&
      [value].flat().every((each) => typeof each === 'string' && isKnown(each)),
  );
  return score >= whole || (score >= asking && expects)
    ? { records: [record], broken: [], score: whole, shape: '' }
    : undefined;
}

/** The members of a document that are all alike, as YAML names each case: no name tells what they are. */
function alikeIn(document: JsonValue): Candidate[] {
  const members = isJsonObject(document) ? Object.entries(document) : [];
  const shared = members
    .map(([, each]) => (isJsonObject(each) ? Object.keys(each) : []))
    .reduce<string[] | null>(
      (all, names) => all?.filter((name) => names.includes(name)) ?? names,
      null,
    );
  if (members.length < 2 || shared === null || shared.length < 2) return [];
  const records = members.map(([key, value]) => ({
    value: value as JsonObject,
    ...{ path: [key], key, server: null, system: null, tags: [] },
  }));
  return [{ records, broken: [], score: 1, shape: '{}' }];
}

function noList(document: JsonValue): string {
  if (!isJsonObject(document))
    return 'It has no list of records: one JSON object per line, or a list of objects.';
  const empty = emptyLists(document);
  return empty.length > 0
    ? `The list ${quoteNames(empty.slice(0, 1))} is empty. Add its cases, or choose another file.`
    : `It has no list of records. It is an object with ${quoteNames(Object.keys(document)) || 'no fields'}. Put the cases into a list, each with a request and the expected tool.`;
}

/** The lists without entries in an object, or in the objects of it. */
const emptyLists = (object: JsonObject): string[] =>
  Object.entries(object).flatMap(([name, each]) =>
    Array.isArray(each) && each.length === 0
      ? [name]
      : isJsonObject(each)
        ? emptyLists(each).map((inner) => `${name}.${inner}`)
        : [],
  );

/** What the names of records have of a case: what is asked counts 2, what is expected 3, or 1 alone. */
function scoreOf(records: readonly FoundRecord[]): number {
  const names = new Set(
    records
      .slice(0, sampled)
      .flatMap(({ value }) => expandRecord(value, () => false))
      .flatMap(({ value }) => [...flattenRecord(value).keys()]),
  );
  const fields = findFields([...names], noMap);
  const asks = fields.query !== undefined || fields.messages !== undefined;
  // Alone, what is expected may be a part of a record: its calls.
  return 1 + (asks ? 2 : 0) + (saysExpectation(fields) ? (asks ? 3 : 1) : 0);
}

const serverOf = (object: JsonObject): string | null => {
  const defaults = isJsonObject(object['defaults']) ? object['defaults'] : {};
  return nonEmptyText(object['server']) ?? nonEmptyText(defaults['server']);
};
const systemOf = (object: JsonObject): string | null =>
  nonEmptyText(object['system_prompt']) ??
  nonEmptyText(object['systemPrompt']) ??
  nonEmptyText(object['system']);

function aroundIn(object: JsonObject, around: Around, isRoot: boolean): Around {
  const named = isRoot ? null : (nonEmptyText(object['category']) ?? nonEmptyText(object['name']));
  return {
    ...around,
    server: serverOf(object) ?? around.server,
    system: systemOf(object) ?? around.system,
    tags: [
      ...around.tags,
      ...(named === null ? [] : [named]),
      ...(isRoot ? [] : textsOf(object['tags'] ?? undefined)),
    ],
  };
}

function collect(
  value: JsonValue,
  path: JsonPath,
  shape: string,
  around: Around,
  found: Map<string, Candidate>,
): void {
  if (path.length > 2 * maxDepth) return;
  if (Array.isArray(value)) {
    // Sessions: a list of the records of each.
    if (value.length > 0 && value.every(isRecordList)) {
      for (const [index, each] of value.entries())
        collect(each, [...path, index], `${shape}[]`, around, found);
      return;
    }
    const objects = value.filter(isJsonObject);
    const rows = recordsOfRows(value);
    if (rows !== null) return addRows(found, shape === '' ? '[]' : shape, rows, path, around);
    // A list of texts is no list of records.
    if (objects.length === 0 || objects.length * 2 < value.length)
      return addPlain(found, shape === '' ? '[]' : shape, rowsOf(value), path, around);
    const candidate = candidateOf(found, shape === '' ? '[]' : shape);
    const own: FoundRecord[] = [];
    for (const [index, each] of value.entries()) {
      if (isJsonObject(each))
        own.push({ value: each, path: [...path, index], key: null, ...around });
      else candidate.broken.push([...path, index]);
    }
    const isWhole = scoreOf(own) >= whole;
    const turns = isWhole
      ? turnsOf(
          String(path.at(-1) ?? ''),
          own.map((each) => each.value),
        )
      : null;
    addAll(
      candidate.records,
      turns === null ? own : own.map((each, at) => ({ ...each, ...turns[at] })),
    );
    if (isWhole) return;
    for (const { value: each, path: at } of own)
      collectMembers(each, at, `${shape}[]`, aroundIn(each, around, false), found);
    return;
  }
  if (!isJsonObject(value)) return;
  const entries = Object.entries(value);
  const inner = path.length === 0 ? aroundIn(value, around, true) : around;
  // In a record of a list, a name is that of a field, even if a tool has the same.
  const isInRecord = path.some((part) => typeof part === 'number');
  const columns = isInRecord ? null : recordsOfColumns(value);
  if (columns !== null) return addRows(found, shape === '' ? '{}' : shape, columns, path, inner);
  if (entries.length > 0 && entries.every(([, each]) => isJsonObject(each))) {
    const own = entries.map(([key, each]) => ({
      value: each as JsonObject,
      path: [...path, key],
      key,
      ...around,
    }));
    const score = scoreOf(own);
    // Values alone may say what is expected: then each of them has to ask.
    const asksEach =
      score >= asking && own.length > 1 && own.every((each) => scoreOf([each]) >= asking);
    if (score >= whole || asksEach) {
      addAll(candidateOf(found, shape === '' ? '{}' : shape).records, own);
      if (score >= whole) return;
    }
  }
  const pairs = isInRecord ? [] : pairsOf(entries, inner.isKnown, path.length <= 1);
  if (pairs.length > 0) return addPlain(found, byToolShape, pairs, path, inner);
  // Lists by category: the categories are tags.
  const lists = entries.flatMap(([name, each]) =>
    isRecordList(each)
      ? [{ name, list: each as JsonObject[] }]
      : isRequestsForNone(name) && isTexts(each)
        ? [{ name, list: each.map((prompt) => ({ prompt })) }]
        : [],
  );
  const scores = lists.map(({ list }) =>
    scoreOf(list.map((record) => ({ value: record, path, key: null, ...inner }))),
  );
  // Next to lists of cases, one of requests alone may be for those that need no tool.
  const isNone = lists.map(
    ({ name }, at) => isRequestsForNone(name) && (scores[at] ?? 0) === asking,
  );
  // Others, such as one of the tools, are named as unread.
  const cases = lists.flatMap((each, at) =>
    (scores[at] ?? 0) >= whole || isNone[at] === true ? [{ ...each, at }] : [],
  );
  if (cases.length > 1 && scores.some((score) => score >= whole)) {
    for (const { at, name, list } of cases)
      collect(
        isNone[at] === true ? list.map((each) => ({ ...each, no_tool: true })) : list,
        [...path, name],
        `${shape}*`,
        { ...inner, tags: [...inner.tags, name] },
        found,
      );
    return;
  }
  collectMembers(value, path, shape, inner, found);
}

/** The rows of a table, which have one place: that of the table. */
function addRows(
  found: Map<string, Candidate>,
  shape: string,
  rows: readonly JsonObject[],
  path: JsonPath,
  around: Around,
): void {
  addAll(
    candidateOf(found, shape).records,
    rows.map((value) => ({ value, path, key: null, ...around })),
  );
}

function addPlain(
  found: Map<string, Candidate>,
  shape: string,
  rows: readonly { value: JsonObject; at: string | number }[],
  path: JsonPath,
  around: Around,
): void {
  if (rows.length === 0) return;
  const candidate = candidateOf(found, shape);
  candidate.isPlain = true;
  addAll(
    candidate.records,
    rows.map(({ value, at }) => ({ value, path: [...path, at], key: null, ...around })),
  );
}

function collectMembers(
  object: JsonObject,
  path: JsonPath,
  shape: string,
  around: Around,
  found: Map<string, Candidate>,
): void {
  for (const [name, each] of Object.entries(object))
    if (typeof each === 'object' && each !== null)
      collect(each, [...path, name], shape === '' ? name : `${shape}.${name}`, around, found);
}

function candidateOf(found: Map<string, Candidate>, shape: string): Candidate {
  const known = found.get(shape) ?? { records: [], broken: [], score: 0, shape };
  found.set(shape, known);
  return known;
}

function addAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

export const isRecordList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

/** Names of the objects around the first record, besides those that lead to one and those that are read. */
function unreadAround(document: JsonValue, paths: readonly JsonPath[]): string[] {
  const unread: string[] = [];
  const path = paths[0]?.slice(0, -1) ?? [];
  let value: JsonValue | undefined = document;
  for (const [depth, part] of path.entries()) {
    if (!isJsonObject(value)) break;
    const leading = new Set(paths.map((each) => String(each[depth])));
    for (const [name, each] of Object.entries(value)) {
      const isRead =
        leading.has(name) ||
        readAround.has(name) ||
        (name === 'defaults' && isJsonObject(each) && Object.keys(each).join() === 'server');
      if (!isRead && !isEmpty(each)) unread.push([...path.slice(0, depth), name].join('.'));
    }
    value = value[String(part)];
  }
  return unread;
}

const readAround: ReadonlySet<string> = new Set(
  'name server system system_prompt systemPrompt'.split(' '),
);
