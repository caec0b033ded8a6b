import { TomlError } from 'smol-toml';
import {
  notationByName,
  recognizeText,
  type Notation,
} from '../../../../src-shared/display/fileKinds.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { readJsonParts } from '../../files/jsonParts.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { readCodeConstants } from './codeLiterals.ts';
import type { CodeConstants } from './codeMarks.ts';
import { findFields, noMap, saysExpectation } from './fieldNames.ts';
import { readFeature } from './gherkin.ts';
import {
  headingText,
  markdownPairs,
  markdownTables,
  requestsIn,
  toolInHeading,
  type MarkdownTable,
} from './markdownTables.ts';
import type { KnowsTool } from './plainRecords.ts';
import type { TextPosition } from './suiteDraft.ts';
import { flattenRecord } from './flattenRecord.ts';
import { isRecordList } from './findRecordList.ts';
import { readSnapshots } from './snapshots.ts';
import { readSourceConstants } from './sourceLiterals.ts';
import { readToml } from './tomlTables.ts';
import { readXml } from './xmlValues.ts';

export interface DocumentText {
  value: JsonValue;
  /** Of a value, or the nearest object around it whose place is known. */
  where: (path: JsonPath) => TextPosition;
}
export interface TextProblem extends TextPosition {
  message: string;
  path?: string;
}

/** In which notation a text keeps its records: by its extension, else by what it begins with. */
export function notationOf(fileName: string, text: string): Notation | 'lines' | 'document' {
  if (notationByName(fileName) === 'notebook') return 'notebook';
  if (isLines(text)) return 'lines';
  const named = notationByName(fileName);
  if (named !== null && !(named === 'table' && /^\ufeff?\s*[[{]/.test(text))) return named;
  const found = recognizeText(text)?.notation;
  return found === undefined || /\.(?:json|jsonl|ndjson|ya?ml)$/i.test(fileName)
    ? 'document'
    : found;
}

/** Whether a value is a list of objects, or without entries, or has one in it by names. */
const hasList = (value: JsonValue): boolean =>
  isRecordList(value) ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.values(value).some(hasList));

/**
 * True if the first line holds a whole record. The only line may also hold an object with a list of
 * records. A text without a record is read as lines, too.
 */
function isLines(text: string): boolean {
  const trimmed = text.replace(/^\ufeff?(?:\s*(?:\/\/|#)[^\n]*\n)*/, '').trim();
  const at = trimmed.indexOf('\n');
  const [first, rest] =
    at < 0 ? [trimmed, ''] : [trimmed.slice(0, at).trim(), trimmed.slice(at + 1).trim()];
  if (first === '') return true;
  const value = first.startsWith('{') ? firstOf(first) : undefined;
  if (!isJsonObject(value)) return false;
  const isList = Object.values(value).some(hasList);
  const fields = findFields([...flattenRecord(value).keys()], noMap);
  return rest !== '' || !isList || fields.query !== undefined || fields.messages !== undefined;
}

/** A JSON text, or with the first entries of its list if that is long. */
function firstOf(text: string): JsonValue | undefined {
  for (const { document } of readJsonParts(text)?.parts() ?? []) return document;
  const read = text.endsWith('}') ? readSourceText(text) : undefined;
  return read?.readable === true ? read.value : undefined;
}

/** Reads a text that is one value: JSON, YAML, TOML, XML, or the constants of a program. */
export function readDocument(
  notation: ReturnType<typeof notationOf>,
  text: string,
): DocumentText | { problems: TextProblem[] } {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (notation === 'toml') {
    try {
      return {
        value: readToml(source),
        where: () => ({ line: null, column: null }),
      };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
      return {
        problems: [
          {
            line: error.line,
            column: error.column,
            message: `The TOML can’t be read: ${message}.`,
          },
        ],
      };
    }
  }
  if (notation === 'xml') {
    const read = readXml(source);
    return 'message' in read ? { problems: [read] } : located(read.value, read.lineOf);
  }
  const program = programOf(notation, notation === 'notebook' ? cellsOf(source) : source);
  if (program !== null) return located(program.value, program.lineOf);
  const read = readSourceText(text);
  if (!read.readable) return readDocuments(source) ?? { problems: read.problems };
  const { value, problemAt } = read;
  return {
    value,
    where: (path) => {
      const { line, column } = problemAt(path, '');
      return { line, column };
    },
  };
}

function cellsOf(source: string): string {
  const read = readSourceText(source);
  const cells = read.readable && isJsonObject(read.value) ? read.value['cells'] : null;
  return (Array.isArray(cells) ? cells : [])
    .filter(isJsonObject)
    .flatMap((cell) => (cell['cell_type'] === 'code' ? [cell['source']] : []))
    .map((text) =>
      [text ?? '']
        .flat()
        .filter((each): each is string => typeof each === 'string')
        .join(''),
    )
    .join('\n');
}

/** The constants of a program, or of a file that a program of tests reads; null for other notations. */
function programOf(notation: ReturnType<typeof notationOf>, source: string): CodeConstants | null {
  if (notation === 'python' || notation === 'notebook' || notation === 'script')
    return readCodeConstants(source, notation !== 'script');
  if (notation === 'source') return readSourceConstants(source);
  if (notation === 'feature') return readFeature(source);
  return notation === 'snapshot' ? readSnapshots(source) : null;
}

/** The documents of a YAML text with several, each a record, as one list; null if it isn’t one. */
function readDocuments(text: string): DocumentText | null {
  const parts: { line: number; text: string }[] = [{ line: 0, text: '' }];
  for (const [at, line] of text.split('\n').entries()) {
    const last = parts.at(-1);
    if (/^---(?:\s|$)/.test(line)) parts.push({ line: at + 1, text: '' });
    else if (last !== undefined) last.text += `${line}\n`;
  }
  const documents = parts.flatMap(({ line, text: part }) => {
    if (part.replaceAll(/^\s*#.*$/gm, '').trim() === '') return [];
    return [{ line, read: readSourceText(part) }];
  });
  const values = documents.flatMap(({ read }) =>
    read.readable && isJsonObject(read.value) ? [read.value] : [],
  );
  if (values.length < 2 || values.length < documents.length) return null;
  return {
    value: values,
    where: ([at = 0, ...path]) => {
      const found = documents[Number(at)];
      if (found === undefined || !found.read.readable) return { line: null, column: null };
      const { line, column } = found.read.problemAt(path, '');
      return { line: line === null ? null : line + found.line, column };
    },
  };
}

function located(value: JsonObject, lineOf: (value: object) => number | null): DocumentText {
  return {
    value,
    where(path) {
      let line: number | null = lineOf(value);
      let at: JsonValue | undefined = value;
      for (const part of path) {
        at = Array.isArray(at) ? at[Number(part)] : isJsonObject(at) ? at[String(part)] : undefined;
        if (typeof at === 'object' && at !== null) line = lineOf(at) ?? line;
      }
      return { line, column: line === null ? null : 1 };
    },
  };
}

/**
 * The rows of the tables of a text in Markdown that hold cases: those whose columns look most like
 * them, and all others with the same columns.
 */
export function readMarkdown(
  text: string,
  isKnown: KnowsTool,
): {
  header: string[];
  rows: { cells: string[]; line: number; heading: string | null }[];
  /** Its columns say what is asked and what is expected. */
  isWhole: boolean;
  /** Tables with other columns that ask something too. */
  others: string[];
} | null {
  const tables = markdownTables(text);
  const scores = tables.map(({ header }) => {
    const fields = findFields(header, noMap);
    return (fields.query === undefined ? 0 : 2) + (saysExpectation(fields) ? 3 : 0);
  });
  const best = tables[scores.indexOf(Math.max(...scores, 0))];
  const list = Math.max(...scores, 0) < 5 ? markdownPairs(text) : [];
  if (list.length > 0)
    return {
      header: ['Prompt', 'Expected tool'],
      rows: list.map((row) => ({ ...row, heading: null })),
      isWhole: true,
      others: [],
    };
  if (best === undefined) return null;
  const same = tables.filter(({ header }) => header.join('\0') === best.header.join('\0'));
  const others = tables.flatMap(({ header, heading }, at) =>
    (scores[at] ?? 0) >= 2 && header.join('\0') !== best.header.join('\0')
      ? [`table of “${heading === '' ? header.join(', ') : heading}”`]
      : [],
  );
  const { query, tool, expected_calls: calls } = findFields(best.header, noMap);
  const toolOf = ({ heading }: MarkdownTable): string | null => {
    const written = headingText(heading, 'tool|function');
    return toolInHeading(heading, isKnown) ?? (/^\w+_\w+$/.test(written) ? written : null);
  };
  const at = best.header.findIndex((name) =>
    query === undefined ? /prompt|quer(?:y|ies)|question|request/i.test(name) : name === query[0],
  );
  /** A row for each request of it. */
  const each = (cells: readonly string[]): string[][] =>
    requestsIn(cells[at] ?? '', best.header[at] ?? '').map((request) =>
      best.header.map((_name, place) => (place === at ? request : (cells[place] ?? ''))),
    );
  // A table below the name of each tool: its requests are for that one.
  const isByTool =
    query !== undefined &&
    tool === undefined &&
    calls === undefined &&
    same.every((table) => toolOf(table) !== null) &&
    (same.length > 1 || toolInHeading(best.heading, isKnown) !== null);
  if (isByTool)
    return {
      header: [...best.header, 'Expected tool'],
      isWhole: true,
      others,
      rows: same.flatMap((table) =>
        table.rows.flatMap(({ cells, line }) =>
          each(cells).map((row) => ({
            ...{ cells: [...row, toolOf(table) ?? ''], line, heading: null },
          })),
        ),
      ),
    };
  return {
    header: best.header,
    isWhole: Math.max(...scores) >= 5,
    others,
    rows: same.flatMap(({ rows, heading }) =>
      rows.flatMap(({ cells, line }) =>
        each(cells).map((row) => ({
          ...{ cells: row, line, heading: same.length > 1 && heading !== '' ? heading : null },
        })),
      ),
    ),
  };
}
