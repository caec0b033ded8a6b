import {
  columnRoles,
  mappedFields,
  type ColumnMap,
  type MappedField,
} from '../../../../src-shared/contract/suites.ts';

import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { fieldNames, weakNames, wrappers } from './fieldNameTable.ts';
import { fieldOfWords, isSequence } from './namePatterns.ts';
import { isEmpty, objectsIn } from './values.ts';

type Wrapper = keyof typeof wrappers;
const wrapperKinds: ReadonlyMap<string, Wrapper> = new Map(
  (Object.keys(wrappers) as Wrapper[]).flatMap((kind) =>
    wrappers[kind].map((name) => [name, kind] as const),
  ),
);

export const isWrapper = (name: string): boolean => wrapperKinds.has(plainName(name));

/** What the members of an object are; undefined: it is one value of the record. */
export function wrapperOf(name: string, object: JsonObject, parent?: Wrapper): Wrapper | undefined {
  const known = wrapperKinds.get(plainName(name));
  const isExpected = isOfExpected(name);
  const tells = (member: string): boolean => tellsTools(member, isExpected);
  const isExpecting =
    Object.keys(object).some(tells) || (isExpected && objectsIn(object['steps']).some(namesTool));
  // In an object of what is asked or expected, a name that may mean something else doesn’t.
  const isInside =
    (parent === 'expecting' && Object.keys(object).some((member) => saysTools(member))) ||
    (parent === 'asking' && Object.keys(object).some((member) => asksText(member, object)));
  return known ?? (isExpecting ? 'expecting' : isInside ? parent : undefined);
}

const saysTools = (name: string): boolean => {
  const plain = plainName(name);
  return weakNames.has(plain) && tellingFields.some((each) => fieldNames[each].includes(plain));
};
const asksText = (name: string, object: JsonObject): boolean =>
  typeof object[name] === 'string' && fieldNames.query.includes(plainName(name));

/** Whether a step is a call. Other steps are what a person does. */
export const namesTool = (step: JsonObject): boolean => 'tool' in step || 'tool_name' in step;

/**
 * Whether an object of this name has what is expected. `outputs` and `result` may be those of a run.
 */
export const isOfExpected = (name: string): boolean =>
  /^(?:expect|assert|check|(?:success|pass|eval|acceptance)?criteria|reference|groundtruth|gold|ideal|target)/.test(
    plainName(name),
  );

/** Whether a name by itself says which tools are expected. */
function tellsTools(name: string, isExpected: boolean): boolean {
  const known = telling[isExpected ? 'expected' : 'any'];
  let tells = known.get(name);
  if (tells === undefined) {
    const plain = plainName(name);
    const field =
      tellingFields.find((each) => fieldNames[each].includes(plain)) ??
      fieldOfWords(name, isExpected);
    tells = field !== undefined && tellingFields.includes(field) && !weakNames.has(plain);
    if (known.size < 10 * maxKept) known.set(name, tells);
  }
  return tells;
}
const telling = { expected: new Map<string, boolean>(), any: new Map<string, boolean>() };
const tellingFields: readonly MappedField[] = [
  'tool',
  'expected_calls',
  'acceptable_tools',
  'forbidden_tools',
  'no_tool',
];

const mayAsk: ReadonlySet<MappedField> = new Set(['query', 'messages', 'context', 'system']);
const mayDescribe: ReadonlySet<MappedField> = new Set([
  'tags',
  'tool',
  'expected_calls',
  'parameters',
  'acceptable_tools',
  'forbidden_tools',
  'should_call',
  'no_tool',
  'allowed_calls',
  'order_dependent',
  'arguments_mode',
  'note',
  'answer',
  'system',
]);
const neverExpected: ReadonlySet<MappedField> = new Set([
  'id',
  'name',
  'query',
  'tags',
  'servers',
  'messages',
  'context',
  'system',
  'note',
  'stub_results',
]);

/** Whether records of these names are the messages of a conversation. */
export const areMessages = (names: readonly string[]): boolean => {
  const plain = new Set(names.map(plainName));
  return plain.has('role') && ['content', 'text', 'message'].some((name) => plain.has(name));
};

const offeredTools = /^(?:tools|functions|availabletools)$/;
/** Whether a field has the definitions of the tools that a model may call: its servers list them. */
export const isOfferedTools = (name: string): boolean => offeredTools.test(plainName(name));

/** Names of what a run did. */
const ofRuns = /^(?:actual\w*|(?:mcp)?toolscalled|toolsused|calledtools|predicted\w*)$/;

/** Whether a name says what a run did: that is never taken for what is expected. */
export const saysWhatRan = (name: string): boolean => ofRuns.test(plainName(name));

/** Why fields of these names aren't read. */
const unreadReasons: readonly [RegExp, string][] = [
  [
    /^(?:(?:expected|reference|ideal|golden|correct)(?:output|answer|response|result)?|(?:expected|reference|ideal)outputs?\w*|answers?|target|groundtruth|output|outputs\w*|response)$/,
    'Touchstone doesn’t take it for an expected tool. Only tool calls are scored.',
  ],
  [ofRuns, 'It says what a run did, not what is expected.'],
  [/^reasoning$/, 'The model doesn’t see it.'],
  [offeredTools, 'The tools that a case offers are those of its servers.'],
];

/** `Expected Tool`, `expected_tool` and `expectedTool` are one name. */
export function plainName(name: string): string {
  let plain = plainNames.get(name);
  if (plain === undefined) {
    plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (plainNames.size < 10 * maxKept && name.length < maxKeptLength) plainNames.set(name, plain);
  }
  return plain;
}
/** All records of a file have the same few names. */
const plainNames = new Map<string, string>();
const maxKeptLength = 100;

/** The own name of a member of objects: `tool` of `expected.tool`. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const unreadReason = (name: string): string =>
  unreadReasons.find(([pattern]) => pattern.test(plainName(name)))?.[1] ??
  'A case has no such field.';

/** Names the fields of a foreign object that have a value and aren't among those that are read. */
export const unreadChanges = (
  object: JsonObject,
  read: readonly string[],
  prefix = '',
): { what: string; why: string }[] =>
  Object.keys(object)
    .filter((name) => !read.includes(name) && !isEmpty(object[name]))
    .map((name) => ({
      what: `${prefix}${name}`,
      why: `Not imported. ${unreadReason(name)}`,
    }));

/** The names of a record that hold each field, the first choice first. */
export type FieldColumns = Partial<Record<MappedField, readonly string[]>>;

/**
 * Finds the columns of each field: the mapped one if a person mapped it, or else all that have one
 * of its names. A name with a point is a member of an object: `expected.tool`.
 */
export function findFields(names: readonly string[], map: ColumnMap): FieldColumns {
  const known = found.get(map) ?? new Map<string, FieldColumns>();
  found.set(map, known);
  const key = names.join('\0');
  const columns = known.get(key) ?? assignFields(names, map);
  if (known.size < maxKept) known.set(key, columns);
  return columns;
}

export const columnsOf = (map: ColumnMap): string[] =>
  columnRoles.flatMap((role) => map[role] ?? []);

/** Nothing is mapped: one object, so that what is found for the same names is kept. */
export const noMap: ColumnMap = {};

/** All rows of a table, and most records of a list, have the same names. */
const found = new WeakMap<ColumnMap, Map<string, FieldColumns>>();
const maxKept = 1000;

function assignFields(names: readonly string[], map: ColumnMap): FieldColumns {
  const taken = new Set(columnsOf(map));
  const byPlainName = new Map<string, string[]>();
  const enter = (plain: string, name: string): void =>
    void byPlainName.set(plain, [...(byPlainName.get(plain) ?? []), name]);
  // A member whose name has no letter says nothing of what its object is.
  const isNamed = (name: string): boolean =>
    !name.includes('.') || plainName(lastPart(name)) !== '';
  const free = names.filter((name) => !taken.has(name) && isNamed(name));
  for (const name of free) enter(plainName(name) === '' ? name : plainName(name), name);
  // After whole names, so that a field of the record comes before that of an object in it.
  for (const name of free) {
    const [wrapper, member] = memberOf(name);
    if (wrapper !== undefined) enter(plainName(member), name);
  }
  const fields: FieldColumns = {};
  const assigned = new Set<string>();
  for (const field of mappedFields) {
    const mapped = map[field];
    // A person who says where the expected tools are says so of both fields that can hold them.
    const isAnswered =
      (field === 'tool' && map.expected_calls !== undefined) ||
      (field === 'expected_calls' && map.tool !== undefined);
    const columns =
      mapped === undefined
        ? [
            ...new Set(
              fieldNames[field]
                .flatMap((each) => (isAnswered ? [] : (byPlainName.get(each) ?? [])))
                .filter((name) => mayHold(name, field)),
            ),
          ]
        : [mapped].flat().filter((name) => names.includes(name));
    if (columns.length > 0) fields[field] = columns;
    for (const column of columns) assigned.add(column);
  }
  for (const name of free) {
    const [, member] = memberOf(name);
    const field = assigned.has(name)
      ? undefined
      : fieldOfWords(member, isOfExpected(name.split('.').at(-2) ?? ''));
    if (field === undefined || map[field] !== undefined || !mayHold(name, field)) continue;
    if (field === 'tool' && map.expected_calls !== undefined) continue;
    if (field === 'expected_calls' && map.tool !== undefined) continue;
    const columns = fields[field] ?? [];
    const weak = columns.findIndex((each) => weakNames.has(plainName(each)));
    // A sequence, and calls with their arguments, say more than a list of the same tools.
    const at = isSequence(member) || /calls$/i.test(member) ? 0 : weak < 0 ? columns.length : weak;
    fields[field] = columns.toSpliced(at, 0, name);
  }
  return fields;
}

/** The kind of the object that a name with points stands in, and its name there. */
function memberOf(name: string): [wrapper: Wrapper | undefined, member: string] {
  const parts = name.split('.');
  // An object of no known name is a part of the record because it says which tools are expected.
  const kinds = parts.slice(0, -1).map((part) => wrapperKinds.get(plainName(part)));
  const wrapper = kinds.at(-1) ?? (kinds.includes('asking') ? 'asking' : 'expecting');
  return [parts.length < 2 ? undefined : wrapper, parts.at(-1) ?? ''];
}

function mayHold(name: string, field: MappedField): boolean {
  const [wrapper, member] = memberOf(name);
  if (plainName(member) === 'steps') return wrapper === 'expecting';
  if (wrapper === undefined) return true;
  if (wrapper === 'asking') return mayAsk.has(field);
  // Beside a case, `tool` may be what it is about, or what a run called.
  return wrapper === 'describing'
    ? mayDescribe.has(field) && !weakNames.has(plainName(member))
    : !neverExpected.has(field);
}

const expectations: readonly MappedField[] = [
  'tool',
  'expected_calls',
  'acceptable_tools',
  'forbidden_tools',
  'should_call',
  'no_tool',
  'allowed_calls',
];

/** Whether records with these fields can say which tools are expected. */
export const saysExpectation = (columns: FieldColumns): boolean =>
  expectations.some((field) => columns[field] !== undefined);

/** Whether they can say which tool is right, and not only that one is, or which ones aren’t. */
export const saysWhich = (columns: FieldColumns): boolean =>
  (['tool', 'expected_calls', 'acceptable_tools', 'allowed_calls'] as const).some(
    (field) => columns[field] !== undefined,
  );

export const quoteNames = (names: readonly string[]): string =>
  names
    .slice(0, 30)
    .map((name) => JSON.stringify(name))
    .join(', ');
