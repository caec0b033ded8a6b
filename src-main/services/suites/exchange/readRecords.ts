import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { explainBroken } from './brokenText.ts';
import { findCode } from './codeMarks.ts';
import { findTextProblem, visitCsv } from './csvText.ts';
import { expandRecord, recordsOfTurns } from './expandRecord.ts';
import { entriesOf, listAround, listsOf } from './chosenList.ts';
import { findFields, isOfferedTools, noMap, quoteNames, saysExpectation } from './fieldNames.ts';
import { markdownSections } from './markdownSections.ts';
import { findRecordList, type FoundList, type FoundRecord } from './findRecordList.ts';
import { flattenRecord } from './flattenRecord.ts';
import { areDefinitions, withIndexedTools } from './indexedTools.ts';
import { readLines } from './jsonLines.ts';
import type { AcceptsPart, JsonPart, JsonParts } from '../../files/jsonParts.ts';
import { readLongList } from '../../files/sourceText.ts';
import { notationOf, readDocument, readMarkdown } from './notations.ts';
import { namesTools } from './namePatterns.ts';
import type { KnowsTool } from './plainRecords.ts';
import type { SourceRecord } from './recordFields.ts';
import type { Change, SuiteDraft, TextPosition } from './suiteDraft.ts';
import { isEmpty } from './values.ts';
import { withWrittenStructures } from './writtenStructures.ts';

/** What is said of a text besides its records. */
export type RecordSink = Pick<SuiteDraft, 'problem' | 'skip' | 'leaveField' | 'found'> & {
  name: string | null;
};

/** What a person says of where the records are. */
export interface RecordSettings {
  /** The list whose entries they are; null: the one that looks most like cases. */
  list: string | null;
  /** Whether the first line of a table names its columns; null: as it looks. */
  hasHeader: boolean | null;
}

export const noSettings: RecordSettings = { list: null, hasHeader: null };

/**
 * Visits the records of a text, as often as it is called: there are never all of them at once.
 * Whatever isn't read is said to the sink, each time.
 */
export type Records = (sink: RecordSink, visit: (record: SourceRecord) => void) => void;

/** There are none, and what was said of the text says why. */
export const noRecords: Records = () => undefined;

/**
 * Reads the records of a text: the rows of a table (CSV, Markdown), JSON lines, or the list of
 * objects in JSON, YAML, TOML, XML or a constant of a program. Everything else is a problem, never an
 * empty list.
 */
export function readRecords(
  source: string,
  fileName: string,
  isKnown: KnowsTool = () => false,
  settings: RecordSettings = noSettings,
): Records {
  const refused = findTextProblem(source);
  if (refused !== null) return (sink) => sink.problem(refused, refused.message);
  const notation = notationOf(fileName, source);
  if (notation === 'table') return fromTable(source, fileName, isKnown, settings);
  if (notation === 'markdown') return fromMarkdown(source, isKnown);
  if (notation === 'lines') return fromLines(source, settings);
  return fromDocument(notation, source, isKnown, settings);
}

/** Lines whose lists a person can choose from. */
const maxListedLines = 1000;

const fromLines =
  (source: string, { list }: RecordSettings): Records =>
  (sink, visit) => {
    const first: JsonObject[] = [];
    for (const { line, value } of readLines(sink, source)) {
      if (first.length < maxListedLines) first.push(value);
      const at = { label: () => `line ${line}`, where: () => ({ line, column: 1 }) };
      const values = list === null ? [value] : entriesOf([value], list).map((each) => each.value);
      for (const each of values) for (const record of toRecords(each, at)) visit(record);
    }
    sink.found.lists = listsOf(first);
    // Of more lines, nobody knows how many entries they have.
    if (first.length === maxListedLines) for (const each of sink.found.lists) each.entries = 0;
    sink.found.list = list ?? '[]';
  };

/** The records of a row of a table: one, or those of the conversation that a cell holds as JSON. */
function toRows(
  header: readonly string[],
  cells: readonly string[],
  at: RecordPlace,
): SourceRecord[] {
  const row: JsonObject = Object.fromEntries(header.map((name, no) => [name, cells[no] ?? '']));
  const written = withWrittenStructures(row);
  if (written !== row) return toRecords(written, { ...at, isTable: true });
  const { label, where, tags = [], changes = [] } = at;
  return [
    {
      get label() {
        return label();
      },
      isTable: true,
      values: new Map(Object.entries(row)),
      where,
      tags,
      changes,
    },
  ];
}

/** The rows of a CSV table with a header, also of one that was a sheet of a workbook. */
export function fromTable(
  source: string,
  fileName: string,
  isKnown: KnowsTool = () => false,
  { hasHeader: said }: RecordSettings = noSettings,
): Records {
  const isSheet = /\.xls[xm]$/i.test(fileName);
  const places = isSheet ? 'rows' : 'lines';
  const first: string[][] = [];
  // A row that can't be read refuses the whole table.
  const { problem } = visitCsv(
    source,
    places,
    ({ cells }) => void (first.length < sampledRows && first.push(cells)),
    false,
  );
  const hasHeader = said ?? !isRow(first, isKnown);
  const refused = hasHeader ? visitCsv(source, places, () => undefined).problem : problem;
  const found = (sink: RecordSink): void => void (sink.found.hasHeader = hasHeader);
  if (refused !== null)
    return (sink) => {
      found(sink);
      sink.problem(refused, refused.message);
    };
  return (sink, visit) => {
    found(sink);
    let isFirst = !hasHeader && said === null;
    visitCsv(
      source,
      places,
      (row, header) => {
        toRows(header, row.cells, {
          label: () => (isSheet ? `row ${row.line}` : `row in line ${row.line}`),
          where: (name = '\0') => {
            const at = header.indexOf(name);
            return row.place(Math.max(0, at < 0 ? header.indexOf(name.split('.')[0] ?? '') : at));
          },
          ...(isFirst && {
            changes: [
              {
                what: 'First line',
                why: 'It is read as a case: none of its cells names a column.',
              },
            ],
          }),
        }).forEach(visit);
        isFirst = false;
      },
      hasHeader,
    );
  };
}

const sampledRows = 50;

/**
 * Whether the first row of a table is one of its cases: none of its cells is the name of a field, one
 * is a request, and another one occurs below it again, or is the name of a tool.
 */
function isRow([first = [], ...rows]: readonly (readonly string[])[], isKnown: KnowsTool): boolean {
  const fields = findFields(first, noMap);
  if (Object.keys(fields).length > 0) return false;
  const asks = (cell: string): boolean =>
    cell.trim().split(/\s+/).length >= 4 || /\S\s+\S.*[?.!]$/.test(cell.trim());
  const isTool = (cell: string, at: number): boolean =>
    cell.trim() !== '' &&
    !asks(cell) &&
    (isKnown(cell.trim()) ||
      rows.some((row) => row[at]?.trim() === cell.trim()) ||
      (/^\w+_\w+$/.test(cell.trim()) &&
        rows.length > 0 &&
        rows.every((row) => /^\w+_\w+$/.test(row[at]?.trim() ?? ''))));
  return first.some(asks) && first.some(isTool);
}

function fromMarkdown(source: string, isKnown: KnowsTool): Records {
  const table = readMarkdown(source, isKnown);
  const sections = table?.isWhole === true ? [] : markdownSections(source, isKnown);
  if (sections.length > 0)
    return (_sink, visit) => {
      for (const { line, values, changes = [] } of sections)
        visit({
          label: `section in line ${line}`,
          isTable: false,
          values,
          changes,
          where: () => ({ line, column: 1 }),
        });
    };
  if (table === null)
    return (sink) =>
      sink.problem(
        { line: 1, column: 1 },
        'It has no table with a request and an expected tool in each row, and no section of a case with a line for each: “Prompt: …” and “Expected tool: …”.',
      );
  return (sink, visit) => {
    for (const other of table.others) sink.leaveField(other);
    for (const { cells, line, heading } of table.rows)
      toRows(table.header, cells, {
        label: () => `row in line ${line}`,
        where: () => ({ line, column: 1 }),
        ...(heading !== null && { tags: [heading] }),
      }).forEach(visit);
  };
}

function fromDocument(
  notation: Parameters<typeof readDocument>[0],
  source: string,
  isKnown: KnowsTool,
  { list }: RecordSettings,
): Records {
  const json = source.startsWith('\ufeff') ? source.slice(1) : source;
  const areCases: AcceptsPart = (part, path) => casesIn(part, path, isKnown) !== null;
  const isWhole = notation === 'document' && list === null;
  const long = isWhole ? readLongList(json, areCases) : undefined;
  if (long !== undefined) return fromParts(long, source, isKnown);
  const document = readDocument(notation, source);
  if ('problems' in document)
    return (sink) => {
      const { problems } = document;
      for (const { line, column, path, message } of notation === 'document'
        ? explainBroken(source, problems)
        : problems)
        sink.problem({ line, column }, message, path);
    };
  const { value, where } = document;
  const found = list === null ? findRecordList(value, isKnown) : listOf(value, list);
  if ('message' in found) {
    const isProgram = ['python', 'notebook', 'script', 'source'].includes(notation);
    const hasNone = Object.values(value ?? {}).every(
      (each) => Array.isArray(each) && each.length === 0,
    );
    const message =
      isProgram && hasNone
        ? 'No list of cases is written out in this program, and it isn’t run. Let it print its cases as JSON, and import what it prints.'
        : found.message;
    return (sink) => {
      const { line, column } = where(found.path);
      sink.found.lists = listsOf(value);
      sink.problem({ line: line ?? 1, column: column ?? 1 }, message);
    };
  }
  return (sink, visit) => {
    sink.found.lists = listsOf(value);
    const around = found.records[0] === undefined ? null : listAround(found.records[0].path);
    sink.found.list =
      list ?? (sink.found.lists.some(({ path }) => path === around) ? around : null);
    for (const path of found.broken) sink.problem(where(path), 'The record isn’t an object.');
    sink.name ??= found.name;
    for (const name of found.unread) sink.leaveField(name);
    for (const [index, record] of found.records.entries())
      for (const each of fromFound(sink, record, index, { where, document: value })) visit(each);
  };
}

/** The records of the list that a person chose. */
function listOf(
  document: JsonValue,
  list: string,
): FoundList | { message: string; path: JsonPath } {
  const entries = entriesOf(document, list);
  return entries.length === 0
    ? {
        message: `The file has no list ${JSON.stringify(list)}. Its lists: ${quoteNames(listsOf(document).map(({ path }) => path))}.`,
        path: [],
      }
    : {
        records: entries.map((each) => ({ ...each, server: null, system: null, tags: [] })),
        broken: [],
        name: null,
        unread: [],
      };
}

/** What a part has in the place of its list; null if the cases are elsewhere in the document. */
function casesIn(
  { document, count }: JsonPart,
  names: readonly string[],
  isKnown: KnowsTool,
): FoundList | null {
  const found = findRecordList(document, isKnown);
  if ('message' in found || found.broken.length > 0 || found.records.length !== count) return null;
  // What the turns of a conversation are depends on those before.
  const isEntry = ({ path, changes }: FoundRecord, index: number): boolean =>
    changes === undefined &&
    path.length === names.length + 1 &&
    path.at(-1) === index &&
    names.every((name, depth) => path[depth] === name);
  return found.records.every(isEntry) ? found : null;
}

/** The records of a long list, a part of it at a time. */
function fromParts(long: JsonParts, source: string, isKnown: KnowsTool): Records {
  let whole: ReturnType<typeof readDocument> | undefined;
  const where = (path: JsonPath): TextPosition => {
    whole ??= readDocument('document', source);
    return 'where' in whole ? whole.where(path) : { line: null, column: null };
  };
  return (sink, visit) => {
    for (const part of long.parts()) {
      const found = casesIn(part, long.path, isKnown);
      if (found === null) continue;
      sink.name ??= found.name;
      if (part.from === 0) {
        for (const name of found.unread) sink.leaveField(name);
        // Of the list that is read in parts, nobody knows yet how many entries it has.
        const own = listAround([...long.path, 0]);
        sink.found.lists = listsOf(part.document).map((each) =>
          each.path === own ? { ...each, entries: 0 } : each,
        );
        sink.found.list = sink.found.lists.some(({ path }) => path === own) ? own : null;
      }
      for (const [index, record] of found.records.entries()) {
        const at = part.from + index;
        const own = { ...record, path: [...long.path, at] };
        for (const each of fromFound(sink, own, at, { where, document: part.document }))
          visit(each);
      }
    }
  };
}

function fromFound(
  sink: RecordSink,
  { value: found, path, server, system, tags, key, changes }: FoundRecord,
  index: number,
  { where, document }: { where: (path: JsonPath) => TextPosition; document: JsonValue },
): SourceRecord[] {
  const indexed = withIndexedTools(found, document);
  const value: JsonObject = Object.fromEntries(
    Object.entries(indexed.value).map(([name, each]) => [
      name === 'function' && areDefinitions(each) ? 'functions' : name,
      isOfferedTools(name) ? (findCode(each) ?? each) : each,
    ]),
  );
  const label = (): string => {
    // Locating a record costs time, so its line is only looked up when it is shown.
    const { line } = where(path);
    return line === null ? `record ${index + 1}` : `record ${index + 1}, line ${line}`;
  };
  const unread = withoutUnreadCode(value);
  const code = findCode(unread.value);
  if (code !== null) {
    const named = typeof value['name'] === 'string' ? ` (${value['name']})` : '';
    sink.skip(
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
    { ...unread.value, ...around },
    {
      label,
      where: (name) => where(name === undefined ? path : [...path, ...name.split('.')]),
      server,
      tags,
      changes: [...(changes ?? []), ...indexed.changes, ...unread.changes],
    },
  );
}

/**
 * A record without the fields that no role reads and that code computes, such as a function that
 * checks the answer: they are named, and the rest of the record is read.
 */
function withoutUnreadCode(value: JsonObject): { value: JsonObject; changes: Change[] } {
  const changes: Change[] = [];
  const kept = Object.entries(value).filter(([name, each]) => {
    const code = findCode(each);
    const isRead = Object.keys(findFields([name], noMap)).length > 0 || namesTools(name);
    if (code === null || isRead || (mayExpect.test(name) && !ofAnswer.test(name))) return true;
    changes.push({
      what: name,
      why: `Not imported. It is made by other code (${code}), which isn’t run.`,
    });
    return false;
  });
  return { value: changes.length === 0 ? value : Object.fromEntries(kept), changes };
}

/** Names of what may say which tool is right, and of these, the ones that say what an answer has in it. */
const mayExpect = /^(?:expect|should|must|skip)/i;
const ofAnswer = /contain|keyword|phrase|substring|answer|response/i;

const expects = (record: JsonObject): boolean => {
  const values = flattenRecord(record);
  const said = [...values.keys()].filter((name) => !isEmpty(values.get(name)));
  return saysExpectation(findFields(said, noMap));
};

/** Where a record stands, and what is said of it there. */
interface RecordPlace {
  label: () => string;
  where: SourceRecord['where'];
  isTable?: boolean;
  server?: string | null;
  tags?: readonly string[];
  changes?: readonly Change[] | undefined;
}

/** The plain records of an object: one, or one for each turn of its conversation. */
export function toRecords(
  value: JsonObject,
  { label, where, isTable = false, server = null, tags = [], changes = [] }: RecordPlace,
): SourceRecord[] {
  return recordsOfTurns(withWrittenStructures(value)).flatMap((turn) =>
    expandRecord(turn.value, expects).map((each) => ({
      get label() {
        return label();
      },
      values: flattenRecord(each.value),
      where,
      isTable,
      server,
      tags,
      changes: [...changes, ...turn.changes, ...each.changes],
    })),
  );
}
