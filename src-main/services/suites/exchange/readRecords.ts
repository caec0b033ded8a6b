import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { readPlainJson, readSourceText, type ProblemAt } from '../../files/sourceText.ts';
import { findTextProblem } from './csvText.ts';
import { findFields, plainName, quoteNames, wrapperNames } from './fieldNames.ts';
import { readLines } from './jsonLines.ts';
import type { SourceRecord } from './recordFields.ts';
import type { SuiteDraft } from './suiteDraft.ts';
import { isEmpty, nonEmptyText } from './values.ts';

/** The objects of a text, and the server that the file names for all of them. */
export interface Records {
  records: SourceRecord[];
  server: string | null;
}

/**
 * Reads the records of a text: JSON lines, or a list of objects in JSON or YAML, alone or as the
 * only such list of an object. Everything else is a problem of the draft, never an empty list.
 */
export function readRecords(draft: SuiteDraft, source: string): Records {
  const refused = findTextProblem(source);
  if (refused !== null) {
    draft.problem(refused, refused.message);
    return { records: [], server: null };
  }
  return isLines(source)
    ? { records: fromLines(draft, source), server: null }
    : fromDocument(draft, source);
}

/**
 * True if the first line holds a whole record. The only line may also hold an object with a list of
 * records. A text without a record is read as lines, too.
 */
function isLines(text: string): boolean {
  const [first, rest] = splitFirstLine(text.replace(/^\ufeff/, '').trim());
  if (first === '') return true;
  const value = first.startsWith('{') ? readPlainJson(first) : undefined;
  if (!isJsonObject(value)) return false;
  const isList = Object.values(value).some(
    (each) => isRecordList(each) || (isJsonObject(each) && Object.values(each).some(isRecordList)),
  );
  return rest !== '' || !isList || findFields([...valuesOf(value).keys()], {}).query !== undefined;
}

function splitFirstLine(text: string): [string, string] {
  const at = text.indexOf('\n');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const fromLines = (draft: SuiteDraft, source: string): SourceRecord[] =>
  readLines(draft, source).map(({ line, value }) => ({
    label: `line ${line}`,
    values: valuesOf(value),
    where: () => ({ line, column: 1 }),
    isTable: false,
  }));

function fromDocument(draft: SuiteDraft, text: string): Records {
  const none = { records: [], server: null };
  const source = readSourceText(text);
  if (!source.readable) {
    for (const { line, column, path, message } of source.problems)
      draft.problem({ line, column }, message, path);
    return none;
  }
  const { value, problemAt } = source;
  const found = findList(value, [], draft);
  if ('message' in found) {
    draft.problem(problemAt(found.path, ''), found.message);
    return none;
  }
  const records = found.list.flatMap((each, index): SourceRecord[] => {
    const path = [...found.path, index];
    if (isJsonObject(each)) return [toRecord(each, path, index, problemAt)];
    draft.problem(problemAt(path, ''), 'The record isn’t an object.');
    return [];
  });
  return { records, server: found.server };
}

function toRecord(
  value: JsonObject,
  path: JsonPath,
  index: number,
  problemAt: ProblemAt,
): SourceRecord {
  const where = (name?: string) => {
    const { line, column } = problemAt(
      name === undefined ? path : [...path, ...name.split('.')],
      '',
    );
    return { line, column };
  };
  // Locating a record costs time, so its line is only looked up when it is shown.
  return {
    get label() {
      const { line } = where();
      return line === null ? `record ${index + 1}` : `record ${index + 1}, line ${line}`;
    },
    values: valuesOf(value),
    where,
    isTable: false,
  };
}

interface FoundList {
  list: readonly JsonValue[];
  path: JsonPath;
  server: string | null;
}

/** Finds the only list of objects in a value, or in the only object of it that has one. */
function findList(
  value: JsonValue,
  path: JsonPath,
  draft: SuiteDraft,
): FoundList | { message: string; path: JsonPath } {
  if (Array.isArray(value)) return { list: value, path, server: null };
  if (!isJsonObject(value))
    return {
      path,
      message: 'It has no list of records: one JSON object per line, or a list of objects.',
    };
  const lists = Object.entries(value).filter(([, each]) => isRecordList(each));
  const [only, ...more] = lists;
  if (more.length > 0)
    return {
      path,
      message: `It has several lists of objects: ${quoteNames(lists.map(([name]) => name))}. Keep the one with the cases.`,
    };
  const inner = Object.entries(value).filter(
    ([, each]) => isJsonObject(each) && Object.values(each).some(isRecordList),
  );
  const [[innerName, innerValue] = ['', null], ...others] = inner;
  if (only === undefined && (innerValue === null || others.length > 0))
    return {
      path,
      message:
        'It has no list of records. ' +
        `It is an object with ${quoteNames(Object.keys(value)) || 'no fields'}.`,
    };
  const name = only?.[0] ?? innerName;
  const defaults = isJsonObject(value['defaults']) ? value['defaults'] : {};
  const server = nonEmptyText(value['server']) ?? nonEmptyText(defaults['server']);
  draft.name ??= nonEmptyText(value['name']);
  for (const [other, each] of Object.entries(value)) {
    const isRead = other === name || other === 'name' || other === 'server';
    const isServerOnly = other === 'defaults' && Object.keys(defaults).join() === 'server';
    if (!isRead && !isServerOnly && !isEmpty(each)) draft.leaveField([...path, other].join('.'));
  }
  if (only !== undefined) return { list: only[1] as JsonValue[], path: [...path, name], server };
  const found = findList(innerValue, [...path, name], draft);
  return 'message' in found ? found : { ...found, server: found.server ?? server };
}

const isRecordList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

/**
 * The values of a record by name. Members of an object such as `expected` become values of their
 * own, `expected.tool`; one that is a call itself stays whole, as `expected.call`.
 */
function valuesOf(record: JsonObject): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(record)) {
    const isWrapper = isJsonObject(value) && wrapperNames.has(plainName(name));
    if (!isWrapper) values.set(name, value);
    else if (isCall(value)) values.set(`${name}.call`, value);
    else for (const [member, each] of Object.entries(value)) values.set(`${name}.${member}`, each);
  }
  return values;
}

/** An object with a name is one call, and its members aren't fields of the record. */
const isCall = (value: JsonObject): boolean =>
  Object.entries(value).some(
    ([name, each]) =>
      ['name', 'toolname', 'functionname', 'function', 'functioncall'].includes(plainName(name)) &&
      !isEmpty(each),
  );
