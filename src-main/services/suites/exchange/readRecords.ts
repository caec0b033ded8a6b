import { type JsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { findCode } from './codeLiterals.ts';
import { findTextProblem, readCsv } from './csvText.ts';
import { expandRecord } from './expandRecord.ts';
import { findFields, noMap, saysExpectation } from './fieldNames.ts';
import { findRecordList, type FoundRecord } from './findRecordList.ts';
import { flattenRecord } from './flattenRecord.ts';
import { readLines } from './jsonLines.ts';
import { notationOf, readDocument, readMarkdown } from './notations.ts';
import type { SourceRecord } from './recordFields.ts';
import type { Change, SuiteDraft, TextPosition } from './suiteDraft.ts';
import { isEmpty } from './values.ts';

/**
 * Reads the records of a text: the rows of a table (CSV, Markdown), JSON lines, or the list of
 * objects in JSON, YAML, TOML, XML or a constant of a program. Everything else is a problem of the
 * draft, never an empty list.
 */
export function readRecords(draft: SuiteDraft, source: string, fileName: string): SourceRecord[] {
  const refused = findTextProblem(source);
  if (refused !== null) {
    draft.problem(refused, refused.message);
    return [];
  }
  const notation = notationOf(fileName, source);
  if (notation === 'table') return fromTable(draft, source, fileName);
  if (notation === 'markdown') return fromMarkdown(draft, source);
  if (notation === 'lines')
    return readLines(draft, source).flatMap(({ line, value }) =>
      toRecords(value, { label: () => `line ${line}`, where: () => ({ line, column: 1 }) }),
    );
  return fromDocument(draft, notation, source);
}

const cellsByName = (header: readonly string[], cells: readonly string[]): Map<string, JsonValue> =>
  new Map(header.map((name, at) => [name, cells[at] ?? '']));

/** The rows of a CSV table with a header, also of one that was a sheet of a workbook. */
export function fromTable(draft: SuiteDraft, source: string, fileName: string): SourceRecord[] {
  const isSheet = /\.xls[xm]$/i.test(fileName);
  const { header, rows, problem } = readCsv(source, isSheet ? 'rows' : 'lines');
  if (problem !== null) {
    draft.problem(problem, problem.message);
    return [];
  }
  return rows.map((row) => ({
    label: isSheet ? `row ${row.line}` : `row in line ${row.line}`,
    isTable: true,
    values: cellsByName(header, row.cells),
    where: (name) => row.place(Math.max(0, header.indexOf(name ?? '\0'))),
  }));
}

function fromMarkdown(draft: SuiteDraft, source: string): SourceRecord[] {
  const table = readMarkdown(source);
  if (table === null) {
    draft.problem(
      { line: 1, column: 1 },
      'It has no table with a request and an expected tool in each row.',
    );
    return [];
  }
  return table.rows.map(({ cells, line, heading }) => ({
    label: `row in line ${line}`,
    isTable: true,
    values: cellsByName(table.header, cells),
    ...(heading !== null && { tags: [heading] }),
    where: () => ({ line, column: 1 }),
  }));
}

function fromDocument(
  draft: SuiteDraft,
  notation: Parameters<typeof readDocument>[0],
  source: string,
): SourceRecord[] {
  const document = readDocument(notation, source);
  if ('problems' in document) {
    for (const { line, column, path, message } of document.problems)
      draft.problem({ line, column }, message, path);
    return [];
  }
  const { value, where } = document;
  const found = findRecordList(value);
  if ('message' in found) {
    const { line, column } = where(found.path);
    draft.problem({ line: line ?? 1, column: column ?? 1 }, found.message);
    return [];
  }
  for (const path of found.broken) draft.problem(where(path), 'The record isn’t an object.');
  draft.name ??= found.name;
  for (const name of found.unread) draft.leaveField(name);
  return found.records.flatMap((record, index) => fromFound(draft, record, index, where));
}

function fromFound(
  draft: SuiteDraft,
  { value, path, server, system, tags, key, changes }: FoundRecord,
  index: number,
  where: (path: JsonPath) => TextPosition,
): SourceRecord[] {
  const label = (): string => {
    // Locating a record costs time, so its line is only looked up when it is shown.
    const { line } = where(path);
    return line === null ? `record ${index + 1}` : `record ${index + 1}, line ${line}`;
  };
  const code = findCode(value);
  if (code !== null) {
    const named = typeof value['name'] === 'string' ? ` (${value['name']})` : '';
    draft.skip(
      `${label()}${named}`,
      `It is made by other code (${code}), which isn’t run. Write its values out, or let the program print its cases as JSON.`,
      where(path),
    );
    return [];
  }
  const around = {
    ...(key !== null && isEmpty(value['id']) && { id: key }),
    ...(system !== null && isEmpty(value['system']) && { system }),
  };
  return toRecords(
    { ...value, ...around },
    {
      label,
      where: (name) => where(name === undefined ? path : [...path, ...name.split('.')]),
      server,
      tags,
      changes,
    },
  );
}

const expects = (record: JsonObject): boolean => {
  const values = flattenRecord(record);
  const said = [...values.keys()].filter((name) => !isEmpty(values.get(name)));
  return saysExpectation(findFields(said, noMap));
};

/** The plain records of an object: one, or one for each turn of its conversation. */
function toRecords(
  value: JsonObject,
  {
    label,
    where,
    server = null,
    tags = [],
    changes = [],
  }: {
    label: () => string;
    where: SourceRecord['where'];
    server?: string | null;
    tags?: readonly string[];
    changes?: readonly Change[] | undefined;
  },
): SourceRecord[] {
  return expandRecord(value, expects).map((each) => ({
    get label() {
      return label();
    },
    values: flattenRecord(each.value),
    where,
    isTable: false,
    server,
    tags,
    changes: [...changes, ...each.changes],
  }));
}
