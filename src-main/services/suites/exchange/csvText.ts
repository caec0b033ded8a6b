import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import Papa from 'papaparse';
import { maxSuiteFileBytes } from '../../../../src-shared/contract/suites.ts';
import { readSourceText } from '../../files/sourceText.ts';
import type { SuiteDraft, TextPosition } from './suiteDraft.ts';

export interface CsvRow {
  cells: string[];
  line: number;
  /** Position of a cell of this row. */
  place(cell: number): TextPosition;
}

export type CsvTable =
  | { header: string[]; rows: CsvRow[]; problem: null }
  | { header: []; rows: []; problem: TextPosition & { message: string } };

const delimiters = [',', ';', '\t', '|'] as const;
/**
 * A first line that Excel writes and reads to name the separator, at times with more of them behind:
 * https://support.microsoft.com/office (Import or export text files).
 */
const separatorLine = /^"?sep=([^\r\n"])[^\r\n]*(?:\r\n|\n|\r|$)/i;
/**
 * A text that a spreadsheet would read as a formula, also after apostrophes, so that a guard can be
 * told from a text that starts with one.
 */
const formulaStart = /^'*[=+\-@\t\r]/;
const guardedFormula = /^'+[=+\-@\t\r]/;

/** Guards a cell, so that a spreadsheet shows it as text whatever it starts with. */
export const guardCell = (cell: string): string => (formulaStart.test(cell) ? `'${cell}` : cell);
export const unguardCell = (cell: string): string =>
  guardedFormula.test(cell) ? cell.slice(1) : cell;

/** Writes a table; every cell is guarded. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse(
    rows.map((row) => row.map(guardCell)),
    { delimiter: ',', newline: '\r\n', header: false },
  )}\r\n`;
}

/** Checks what the parsers cannot handle: a text that is too large, binary, or not well-formed. */
export function findTextProblem(text: string): (TextPosition & { message: string }) | null {
  if (Buffer.byteLength(text) > maxSuiteFileBytes)
    return {
      line: 1,
      column: 1,
      message: `The file is larger than ${maxSuiteFileBytes / 1024 / 1024} MB. Split it into several files.`,
    };
  const nul = text.indexOf('\0');
  if (nul >= 0)
    return {
      ...positionOf(text, nul),
      message:
        'The file contains a NUL character: it isn’t a text file, or has another encoding. Save it ' +
        'as UTF-8.',
    };
  return text.isWellFormed()
    ? null
    : {
        line: 1,
        column: 1,
        message: 'The file contains half a character (a lone surrogate). Save it as UTF-8.',
      };
}

/** The value of a JSON or YAML text; null if it can't be read, and then the draft says why. */
export function readDraftSource(draft: SuiteDraft, text: string) {
  const refused = findTextProblem(text);
  const source = refused === null ? readSourceText(text) : null;
  if (source?.readable === true) return source;
  if (refused !== null) draft.problem(refused, refused.message);
  for (const { line, column, path, message } of source?.problems ?? [])
    draft.problem({ line, column }, message, path);
  return null;
}

/** Reads all of a table, see `visitCsv`. */
export function readCsv(source: string, places: 'lines' | 'rows' = 'lines'): CsvTable {
  const rows: CsvRow[] = [];
  const { header, problem } = visitCsv(source, places, (row) => void rows.push(row));
  return problem === null ? { header, rows, problem } : { header: [], rows: [], problem };
}

type CsvProblem = TextPosition & { message: string };

/**
 * Visits the rows of a table with a header, up to the first that has a problem. Guards are removed
 * from cells; empty rows are skipped.
 *
 * @param places counts lines of the text, or the rows of the sheet that it was written from
 * @param hasHeader whether the first row names the columns; else they are `column 1` and so on
 */
export function visitCsv(
  source: string,
  places: 'lines' | 'rows',
  visit: (row: CsvRow, header: readonly string[]) => void,
  hasHeader = true,
): { header: string[]; problem: CsvProblem | null } {
  const refused = findTextProblem(source);
  if (refused !== null) return { header: [], problem: refused };
  const whole = source.startsWith('\ufeff') ? source.slice(1) : source;
  const [named = '', separator] = separatorLine.exec(whole) ?? [];
  const text = whole.slice(named.length);
  const first = firstRecord(text);
  const delimiter =
    separator ??
    delimiters.toSorted(
      (one, other) => countDelimiters(first.record, other) - countDelimiters(first.record, one),
    )[0] ??
    ',';
  const found: { header: string[] | null; problem: CsvProblem | null } = {
    header: null,
    problem: null,
  };
  let start = 0;
  let line = named === '' ? 1 : 2;
  let number = 0;
  const take = (row: CsvRow): CsvProblem | null => {
    const { header } = found;
    if (header === null && hasHeader) {
      found.header = row.cells.map((cell) => cell.trim());
      return findHeaderProblem(found.header, row) ?? null;
    }
    if (header === null || (!hasHeader && row.cells.length > header.length)) {
      found.header = row.cells.map((_cell, at) => `column ${at + 1}`);
      visit(row, found.header);
      return null;
    }
    if (row.cells.length > header.length)
      return {
        ...row.place(header.length),
        message: `The row has ${counted(row.cells.length, 'cell')}, but the header has ${formatCount(header.length)}.`,
      };
    visit(row, header);
    return null;
  };
  Papa.parse<string[]>(text, {
    delimiter,
    newline: first.newline,
    step: ({ data, errors, meta }, parser) => {
      const [from, at] = [start, line];
      start = meta.cursor;
      line += countLineBreaks(text, from, start);
      number += 1;
      const [own, isRow] = [number, places === 'rows'];
      const place = (cell: number): TextPosition =>
        isRow ? { line: own, column: cell + 1 } : positionOfCell(text, from, at, delimiter, cell);
      const [error] = errors.filter(({ type }) => type === 'Quotes');
      if (error !== undefined)
        found.problem = {
          line: at,
          column: 1,
          message:
            error.code === 'MissingQuotes'
              ? 'A quoted cell isn’t closed. Add a quotation mark at its end.'
              : 'Double each quotation mark inside a quoted cell.',
        };
      else if (data.some((cell) => cell.trim() !== ''))
        found.problem = take({ cells: data.map(unguardCell), line: isRow ? own : at, place });
      if (found.problem !== null) parser.abort();
    },
  });
  if (found.problem === null && found.header === null)
    found.problem = {
      line,
      column: 1,
      message: 'The table is empty. Its first line names the columns.',
    };
  return { header: found.header ?? [], problem: found.problem };
}

function findHeaderProblem(
  header: readonly string[],
  row: CsvRow,
): (TextPosition & { message: string }) | undefined {
  for (const [at, name] of header.entries()) {
    if (name === '__proto__')
      return { ...row.place(at), message: 'The name "__proto__" isn’t allowed. Rename it.' };
    if (name !== '' && header.indexOf(name) !== at)
      return {
        ...row.place(at),
        message: `Two columns are named ${JSON.stringify(name)}. Rename one.`,
      };
  }
  return undefined;
}

/** The first record, up to a line break outside quotation marks, and that line break. */
function firstRecord(text: string): { record: string; newline: '\r\n' | '\n' | '\r' } {
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (!quoted && character === '\n') return { record: text.slice(0, at), newline: '\n' };
    else if (!quoted && character === '\r')
      return { record: text.slice(0, at), newline: text[at + 1] === '\n' ? '\r\n' : '\r' };
  }
  return { record: text, newline: '\n' };
}

/** How often a delimiter occurs outside quotation marks. */
function countDelimiters(record: string, delimiter: string): number {
  return record.replace(/"[^"]*"/g, '').split(delimiter).length;
}

function countLineBreaks(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = from; at < to; at += 1) {
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) found += 1;
  }
  return found;
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  return { line: 1 + countLineBreaks(text, 0, offset), column: offset - before };
}

/** Computed only for a problem, because positions of all cells would cost more than parsing. */
function positionOfCell(
  text: string,
  from: number,
  line: number,
  delimiter: string,
  cell: number,
): TextPosition {
  let quoted = false;
  let delimitersSeen = 0;
  let lineStart = from;
  let at = from;
  for (; delimitersSeen < cell && at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (!quoted && character === delimiter) delimitersSeen += 1;
    if (character === '\n' || character === '\r') lineStart = at + 1;
  }
  return { line: line + countLineBreaks(text, from, at), column: at - lineStart + 1 };
}
