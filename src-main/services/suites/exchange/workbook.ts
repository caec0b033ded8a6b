// The entry for Node also starts threads, which nothing here needs.
import { unzipSync } from 'fflate/browser';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { findFields, noMap, quoteNames, saysExpectation } from './fieldNames.ts';
import { writeCsv } from './csvText.ts';

/**
 * Limits of a workbook. What its parts unpack to is counted from the directory of the archive, and a
 * part that is larger than it says is refused, so that a zip bomb never unfolds.
 */
const limits = { parts: 2_000, partBytes: 192 * 1024 * 1024, columns: 1_000, rows: 1_048_576 };

/** Why a workbook can't be read, in a sentence. */
export class WorkbookProblem extends Error {}

export interface WorkbookTable {
  /** The rows of the sheet as CSV, one record a row, also for empty rows in between. */
  text: string;
  sheet: string;
  sheets: string[];
}

/**
 * Reads a workbook of ECMA-376 (XLSX): the sheet of a name, or else the one whose first row looks
 * most like cases (what is asked counts 2, what is expected 3, any rows 1; the first of several).
 * Formulas are read as the values that were stored with them; nothing is computed or opened.
 */
export function readWorkbook(bytes: Uint8Array, name: string | null): WorkbookTable {
  const { read, names: parts } = unpack(bytes);
  const book = read('xl/workbook.xml');
  if (book === null) {
    const texts = parts.filter((part) => readable.test(part));
    throw new WorkbookProblem(
      `It’s a ZIP archive without a workbook (xl/workbook.xml). ${
        texts.length === 0
          ? 'Export the sheet again.'
          : `Unpack it, and import one of its files: ${quoteNames(texts.slice(0, maxNamed))}.`
      }`,
    );
  }
  const targets = new Map(
    [...elements(read('xl/_rels/workbook.xml.rels') ?? '')].flatMap(({ name: tag, attributes }) =>
      tag === 'Relationship' ? [[attributes['Id'], attributes['Target'] ?? '']] : [],
    ),
  );
  let isFrom1904 = false;
  const sheets: { name: string; path: string; isHidden: boolean }[] = [];
  for (const { name: tag, attributes } of elements(book)) {
    if (tag === 'workbookPr') isFrom1904 = /^(?:1|true|on)$/.test(attributes['date1904'] ?? '');
    const target = tag === 'sheet' ? targets.get(attributes['id']) : undefined;
    if (target !== undefined)
      sheets.push({
        name: attributes['name'] ?? '',
        path: target.startsWith('/') ? target.slice(1) : `xl/${target}`,
        isHidden: (attributes['state'] ?? 'visible') !== 'visible',
      });
  }
  const shared = sharedTexts(read('xl/sharedStrings.xml') ?? '');
  const isDate = dateStyles(read('xl/styles.xml') ?? '');
  const rowsOf = ({ path }: { path: string }): string[][] =>
    readRows(read(path) ?? '', { shared, isDate, isFrom1904 });
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const names = (visible.length > 0 ? visible : sheets).map((sheet) => sheet.name);
  if (name !== null) {
    const found = sheets.find((sheet) => sheet.name === name);
    if (found === undefined)
      throw new WorkbookProblem(
        `It has no sheet ${JSON.stringify(name)}. Its sheets: ${quoteNames(names)}.`,
      );
    return { text: toCsv(rowsOf(found)), sheet: name, sheets: names };
  }
  let best: { score: number; sheet: string; rows: string[][] } | null = null;
  for (const sheet of visible.length > 0 ? visible : sheets) {
    const rows = rowsOf(sheet);
    const score = scoreOf(rows);
    if (best === null || score > best.score) best = { score, sheet: sheet.name, rows };
  }
  if (best === null || best.score === 0)
    throw new WorkbookProblem('None of its sheets has rows. Its first row names the columns.');
  return { text: toCsv(best.rows), sheet: best.sheet, sheets: names };
}

/** Rows of a title above the table are left out: the first row with two cells names the columns. */
const headOf = (rows: readonly string[][]): number =>
  Math.max(
    0,
    rows.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1),
  );

function toCsv(rows: readonly string[][]): string {
  const head = headOf(rows);
  const width = rows.slice(head).reduce((most, row) => Math.max(most, row.length), 0);
  const whole = Array.from({ length: width }, (_, at) => rows[head]?.[at] ?? '');
  // An empty row keeps its place, so that the number of a record is that of its row.
  return `sep=,\r\n${writeCsv(rows.map((row, at) => (at < head ? [] : at === head ? whole : row)))}`;
}

function scoreOf(rows: readonly string[][]): number {
  const at = headOf(rows);
  const head = rows[at]?.map((cell) => cell.trim()).filter((cell) => cell !== '') ?? [];
  if (head.length === 0) return 0;
  const fields = findFields(head, noMap);
  return (
    (rows.length > at + 1 ? 1 : 0.5) +
    (fields.query === undefined ? 0 : 2) +
    (saysExpectation(fields) ? 3 : 0)
  );
}

/** Files in an archive that an import of cases may read. */
const readable = /\.(?:csv|tsv|jsonl?|ndjson|ya?ml|toml|xml|md)$/i;
const maxNamed = 5;

/** The start of a part in an archive; its name stands 30 bytes further, its length 26. */
const partMark = [0x50, 0x4b, 0x03, 0x04];

/** The parts that an archive without its directory begins: where it is cut, the last is not whole. */
function partsOf(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = Buffer.from(partMark);
  const names: string[] = [];
  for (
    let at = buffer.indexOf(mark);
    at >= 0 && at + 30 <= buffer.length && names.length < limits.parts;
    at = buffer.indexOf(mark, at + partMark.length)
  )
    names.push(buffer.toString('utf8', at + 30, at + 30 + buffer.readUInt16LE(at + 26)));
  return names;
}

/** What an archive is that can't be unpacked. */
function damaged(bytes: Uint8Array, error: unknown): WorkbookProblem {
  const sheets = partsOf(bytes).filter((name) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name));
  const found =
    sheets.length === 0
      ? 'No sheet is left in it: save or send it again.'
      : `${counted(sheets.length, 'sheet')} may be left in it: open it in a spreadsheet program, which may repair it, and save the sheet as CSV.`;
  return new WorkbookProblem(
    `It’s a workbook (XLSX) that is damaged or cut off, and can’t be unpacked: ${errorText(error)}. ${found}`,
  );
}

/** The texts of an archive by their paths, and the names of all of its parts. */
function unpack(bytes: Uint8Array): { read: (path: string) => string | null; names: string[] } {
  const names: string[] = [];
  const declared = new Map<string, number>();
  let count = 0;
  let total = 0;
  try {
    const unpacked = unzipSync(bytes, {
      filter({ name, originalSize }) {
        count += 1;
        names.push(name);
        if (count > limits.parts)
          throw new WorkbookProblem(`It has more than ${formatCount(limits.parts)} parts.`);
        const isRead =
          /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/i.test(
            name,
          );
        if (!isRead) return false;
        total += originalSize;
        if (total > limits.partBytes)
          throw new WorkbookProblem(
            `It unpacks to more than ${limits.partBytes / 1024 / 1024} MB. Split it into several files.`,
          );
        declared.set(name, originalSize);
        return true;
      },
    });
    for (const [name, part] of Object.entries(unpacked))
      if (part.length !== declared.get(name))
        throw new WorkbookProblem(`${name} is not as large as the file says.`);
    const decoder = new TextDecoder();
    const read = (path: string): string | null => {
      const part = unpacked[path];
      if (part === undefined) return null;
      const text = decoder.decode(part);
      if (/<!DOCTYPE/i.test(text.slice(0, 4096)))
        throw new WorkbookProblem(`${path} defines entities, which aren’t read.`);
      return text;
    };
    return { read, names };
  } catch (error) {
    if (error instanceof WorkbookProblem) throw error;
    throw damaged(bytes, error);
  }
}

interface Element {
  /** Without its prefix; with a slash in front for an end tag. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The text between this tag and the next one. */
  text: string;
  isClosed: boolean;
}

/** The tags of an XML text in their order. A sheet of a million cells never becomes a tree. */
function* elements(xml: string): Generator<Element> {
  const tag = /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
  for (let found = tag.exec(xml); found !== null;) {
    const [, end = '', name = '', written = '', closed = ''] = found;
    const from = tag.lastIndex;
    const next = tag.exec(xml);
    yield {
      name: `${end}${name}`,
      attributes: attributesOf(written),
      text: plainText(xml.slice(from, next?.index ?? xml.length)),
      isClosed: closed !== '',
    };
    found = next;
  }
}

function attributesOf(written: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  if (written === '') return attributes;
  for (const [, name = '', double, single] of written.matchAll(
    /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    attributes[name.slice(name.indexOf(':') + 1)] = plainText(double ?? single ?? '');
  return attributes;
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Only the five entities of XML and numbers are resolved; each stands for one character. */
function plainText(text: string): string {
  if (!text.includes('&') && !text.includes('<![CDATA[')) return text;
  return text
    .split(/(<!\[CDATA\[[^]*?\]\]>)/)
    .map((part) =>
      part.startsWith('<![CDATA[')
        ? part.slice(9, -3)
        : part.replaceAll(
            /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
            (whole, hex, decimal, word) => {
              const code = hex ? parseInt(hex as string, 16) : decimal ? Number(decimal) : null;
              if (code !== null) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
              return entities[word as string] ?? whole;
            },
          ),
    )
    .join('');
}

/** `_x000D_` stands for a character that XML can't hold (ECMA-376, 22.9.2.19). */
const unescape = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\da-f]{4})_/gi, (_all, hex) =>
        String.fromCharCode(parseInt(hex as string, 16)),
      )
    : text;

/** The texts that cells share: the runs of each, without its reading aids (`rPh`). */
function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let text = '';
  let isAid = false;
  for (const element of elements(xml)) {
    if (element.name === 'si') text = '';
    if (element.name === 'rPh') isAid = !element.isClosed;
    if (element.name === '/rPh') isAid = false;
    if (element.name === 't' && !isAid) text += element.text;
    if (element.name === '/si' || (element.name === 'si' && element.isClosed))
      texts.push(unescape(text));
  }
  return texts;
}

/** Whether the style of a number shows a date (ECMA-376, 18.8.30: built-in formats 14–22, 45–47). */
function dateStyles(xml: string): (style: string | undefined) => boolean {
  const formats = new Map<string, string>();
  const styles: boolean[] = [];
  let isOfCells = false;
  for (const { name, attributes } of elements(xml)) {
    if (name === 'numFmt')
      formats.set(attributes['numFmtId'] ?? '', attributes['formatCode'] ?? '');
    if (name === 'cellXfs') isOfCells = true;
    if (name === '/cellXfs') isOfCells = false;
    if (name !== 'xf' || !isOfCells) continue;
    const id = attributes['numFmtId'] ?? '0';
    const own = formats.get(id)?.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '');
    const number = Number(id);
    styles.push(
      own === undefined
        ? (number >= 14 && number <= 22) || (number >= 45 && number <= 47)
        : /[dyhs]|m(?!m*%)/i.test(own) && !/^general$/i.test(own),
    );
  }
  return (style) => styles[Number(style ?? -1)] ?? false;
}

const dayMs = 86_400_000;

/** A number of days as ISO 8601 writes its date, or its date and time. */
function toDate(days: number, isFrom1904: boolean): string | null {
  // 1900 is a leap year to spreadsheets, so that days up to 60 are one off.
  const first = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const time = new Date(first + Math.round(days * 86_400) * 1000);
  if (Number.isNaN(time.getTime())) return null;
  const written = time.toISOString();
  if (days < 1) return written.slice(11, 19);
  return (time.getTime() % dayMs === 0 ? written.slice(0, 10) : written.slice(0, 19)) || null;
}

/** The column of a cell from its reference, such as `AB7`, from 0; null without one. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase();
  if (letters === undefined) return null;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface CellContext {
  shared: readonly string[];
  isDate: (style: string | undefined) => boolean;
  isFrom1904: boolean;
}

function readRows(xml: string, context: CellContext): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: { at: number; type: string; style: string | undefined; value: string } | null = null;
  let isAid = false;
  const endCell = (): void => {
    if (cell === null || cell.value === '') return;
    while (row.length < cell.at) row.push('');
    row[cell.at] = cellText(cell, context);
  };
  for (const { name, attributes, text, isClosed } of elements(xml)) {
    if (name === 'row') {
      const at = Number(attributes['r'] ?? rows.length + 1) - 1;
      if (!(at < limits.rows)) throw new WorkbookProblem('One of its rows has no valid number.');
      while (rows.length < at) rows.push([]);
      row = [];
      rows.push(row);
    } else if (name === 'c') {
      const at = columnOf(attributes['r']) ?? row.length;
      cell =
        isClosed || at >= limits.columns
          ? null
          : { at, type: attributes['t'] ?? 'n', style: attributes['s'], value: '' };
    } else if (name === 'rPh') isAid = !isClosed;
    else if (name === '/rPh') isAid = false;
    else if ((name === 'v' || (name === 't' && !isAid)) && cell !== null) cell.value += text;
    else if (name === '/c') {
      endCell();
      cell = null;
    } else if (name === 'mergeCell') fillMerged(rows, attributes['ref'] ?? '');
  }
  while (rows.length > 0 && rows.at(-1)?.every((each) => each.trim() === '')) rows.pop();
  return rows;
}

/** A cell that is merged with those below it says the same of each of their rows. */
function fillMerged(rows: string[][], reference: string): void {
  const [first = '', last = first] = reference.split(':');
  const at = columnOf(first);
  const [from, to] = [first, last].map((each) => Number(/\d+$/.exec(each)?.[0] ?? 0) - 1);
  const text = at === null ? undefined : rows[from ?? -1]?.[at];
  if (at === null || text === undefined || text === '') return;
  for (const row of rows.slice((from ?? 0) + 1, (to ?? 0) + 1)) {
    while (row.length < at) row.push('');
    row[at] ||= text;
  }
}

function cellText(
  { type, style, value }: { type: string; style: string | undefined; value: string },
  { shared, isDate, isFrom1904 }: CellContext,
): string {
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'inlineStr' || type === 'str') return unescape(value);
  // `#N/A` and other errors are words of a spreadsheet for nothing.
  if (type === 'e') return '';
  const number = Number(value);
  if (type === 'n' && isDate(style) && Number.isFinite(number))
    return toDate(number, isFrom1904) ?? value;
  // 0.1 + 0.2 is stored with 17 digits and shown with 15.
  return type === 'n' && Number.isFinite(number) && value.length > 15
    ? String(Number(number.toPrecision(15)))
    : value;
}
