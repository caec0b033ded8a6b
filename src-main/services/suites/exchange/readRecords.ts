import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { explainBroken } from './brokenText.ts';
import { findCode } from './codeLiterals.ts';
import { findTextProblem, visitCsv } from './csvText.ts';
import { expandRecord, recordsOfTurns } from './expandRecord.ts';
import { findFields, isOfferedTools, noMap, saysExpectation } from './fieldNames.ts';
import { markdownSections } from './markdownSections.ts';
import { findRecordList, type FoundList, type FoundRecord } from './findRecordList.ts';
import { flattenRecord } from './flattenRecord.ts';
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
export type RecordSink = Pick<SuiteDraft, 'problem' | 'skip' | 'leaveField'> & {
  name: string | null;
};

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
): Records {
  const refused = findTextProblem(source);
  if (refused !== null) return (sink) => sink.problem(refused, refused.message);
  const notation = notationOf(fileName, source);
  if (notation === 'table') return fromTable(source, fileName);
  if (notation === 'markdown') return fromMarkdown(source, isKnown);
  if (notation === 'lines') return fromLines(source);
  return fromDocument(notation, source, isKnown);
}

const fromLines =
  (source: string): Records =>
  (sink, visit) => {
    for (const { line, value } of readLines(sink, source))
      for (const record of toRecords(value, {
        label: () => `line ${line}`,
        where: () => ({ line, column: 1 }),
      }))
        visit(record);
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
  const { label, where, tags = [] } = at;
  return [
    {
      get label() {
        return label();
      },
      isTable: true,
      values: new Map(Object.entries(row)),
      where,
      tags,
    },
  ];
}

/** The rows of a CSV table with a header, also of one that was a sheet of a workbook. */
export function fromTable(source: string, fileName: string): Records {
  const isSheet = /\.xls[xm]$/i.test(fileName);
  const places = isSheet ? 'rows' : 'lines';
  // A row that can't be read refuses the whole table.
  const { problem } = visitCsv(source, places, () => undefined);
  if (problem !== null) return (sink) => sink.problem(problem, problem.message);
  return (_sink, visit) =>
    void visitCsv(source, places, (row, header) =>
      toRows(header, row.cells, {
        label: () => (isSheet ? `row ${row.line}` : `row in line ${row.line}`),
        where: (name = '\0') => {
          const at = header.indexOf(name);
          return row.place(Math.max(0, at < 0 ? header.indexOf(name.split('.')[0] ?? '') : at));
        },
      }).forEach(visit),
    );
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
): Records {
  const json = source.startsWith('\ufeff') ? source.slice(1) : source;
  const areCases: AcceptsPart = (part, path) => casesIn(part, path, isKnown) !== null;
  const long = notation === 'document' ? readLongList(json, areCases) : undefined;
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
  const found = findRecordList(value, isKnown);
  if ('message' in found) {
    const isProgram = notation === 'python' || notation === 'script';
    const hasNone = Object.values(value ?? {}).every(
      (each) => Array.isArray(each) && each.length === 0,
    );
    const message =
      isProgram && hasNone
        ? 'No list of cases is written out in this program, and it isn’t run. Let it print its cases as JSON, and import what it prints.'
        : found.message;
    return (sink) => {
      const { line, column } = where(found.path);
      sink.problem({ line: line ?? 1, column: column ?? 1 }, message);
    };
  }
  return (sink, visit) => {
    for (const path of found.broken) sink.problem(where(path), 'The record isn’t an object.');
    sink.name ??= found.name;
    for (const name of found.unread) sink.leaveField(name);
    for (const [index, record] of found.records.entries())
      for (const each of fromFound(sink, record, index, where)) visit(each);
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
      if (part.from === 0) for (const name of found.unread) sink.leaveField(name);
      for (const [index, record] of found.records.entries()) {
        const at = part.from + index;
        const own = { ...record, path: [...long.path, at] };
        for (const each of fromFound(sink, own, at, where)) visit(each);
      }
    }
  };
}

function fromFound(
  sink: RecordSink,
  { value: found, path, server, system, tags, key, changes }: FoundRecord,
  index: number,
  where: (path: JsonPath) => TextPosition,
): SourceRecord[] {
  const value: JsonObject = Object.fromEntries(
    Object.entries(found).map(([name, each]) => [
      name,
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
      changes: [...(changes ?? []), ...unread.changes],
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
function toRecords(
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
