import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { codeSpan, cutText } from '../escapeText.ts';
import type {
  Cell,
  CellLink,
  Column,
  Difference,
  Mark,
  Report,
  ReportMatrix,
  ReportPart,
  ReportTable,
  WriteFormat,
} from '../report.ts';
import { differenceText, estimateText, numberText, wordOf } from '../shownNumbers.ts';

/**
 * What a comment of a code host takes, with some room; a step's summary takes 1 MiB, counted in
 * bytes.
 */
export const shortMarkdown = 60_000;
export const maxSummary = 880 * 1024;
const omissionRoom = 120;
const shortCell = 160;
const wideMatrix = 20;

interface Measure {
  short: boolean;
  most: number;
  lengthOf: (text: string) => number;
}

const whole: Measure = { short: false, most: Infinity, lengthOf: () => 0 };
const comment: Measure = { short: true, most: shortMarkdown, lengthOf: (text) => text.length };
const summary: Measure = {
  short: true,
  most: maxSummary,
  lengthOf: (text) => Buffer.byteLength(text),
};

export const writeMarkdown: WriteFormat = (report, { short }) =>
  write(report, short ? comment : whole);
export const writeSummary: WriteFormat = (report) => write(report, summary);

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Rows are written while they fit and every table can still say how many it left out. */
async function* write(report: Report, { short, most, lengthOf }: Measure): AsyncIterable<string> {
  const foreign = (text: string): string => codeSpan(short ? cutText(text, shortCell) : text);
  const head = headOf(report, foreign);
  const parts = report.parts.filter(
    (part) => part.part !== 'matrix' || (!short && part.columns.length <= wideMatrix),
  );
  const texts = parts
    .map((part) => (part.part === 'note' ? part.text.length + 2 : 0))
    .reduce((sum, length) => sum + length, 0);
  let room = most - parts.length * omissionRoom - texts - lengthOf(head);
  yield head;
  for (const part of parts) {
    if (part.part === 'note') {
      yield `\n${part.text}\n`;
      continue;
    }
    for await (const text of short
      ? shortTable(part, foreign, room, lengthOf)
      : fullTable(part, foreign)) {
      room -= lengthOf(text);
      yield text;
    }
  }
}

function headOf({ title, generated, facts }: Report, foreign: (text: string) => string): string {
  const items = facts.map(
    ({ name, value, foreign: isForeign }) => `- ${name}: ${isForeign ? foreign(value) : value}\n`,
  );
  return `# ${foreign(title)}\n\n${foreign(generated)}\n\n${items.join('')}`;
}

type Foreign = (text: string) => string;
type TablePart = Exclude<ReportPart, { part: 'note' }>;

const tableHead = (title: string, columns: readonly string[]): string =>
  `\n## ${title}\n\n${line(columns)}${line(columns.map(() => '---'))}`;
const headLine = (part: TablePart, foreign: Foreign): string[] =>
  part.part === 'matrix'
    ? [part.corner, ...part.columns.map(foreign)]
    : part.columns.map(({ title }) => title);

async function* fullTable(part: TablePart, foreign: Foreign): AsyncIterable<string> {
  let shown = 0;
  for await (const row of rowsOf(part, foreign)) {
    if (shown === 0) yield tableHead(part.title, headLine(part, foreign));
    shown += 1;
    yield row.text;
  }
  if (shown === 0) yield emptyTable(part);
  else if (part.note !== undefined) yield `\n${part.note}\n`;
}

const emptyTable = (part: TablePart): string =>
  `\n## ${part.title}\n\n${(part.part === 'table' ? part.none : undefined) ?? 'None.'}\n`;

/**
 * One pass: the rows that stand first and the others are kept apart, each as far as there is room;
 * the first ones take it first.
 */
async function* shortTable(
  part: TablePart,
  foreign: Foreign,
  most: number,
  lengthOf: (text: string) => number,
): AsyncIterable<string> {
  const head = tableHead(part.title, headLine(part, foreign));
  const note = part.note === undefined ? '' : `\n${part.note}\n`;
  const room = most - lengthOf(head) - lengthOf(note);
  const kept = [
    { texts: [] as string[], left: room },
    { texts: [] as string[], left: room },
  ];
  let all = 0;
  for await (const { text, first } of rowsOf(part, foreign)) {
    all += 1;
    const list = kept[first ? 0 : 1];
    if (!list || list.left <= 0) continue;
    const length = lengthOf(text);
    // The first that does not fit ends its list: what follows it is not shown in its place.
    if (length > list.left) list.left = 0;
    else {
      list.left -= length;
      list.texts.push(text);
    }
  }
  if (all === 0) {
    yield emptyTable(part);
    return;
  }
  yield head;
  let [shown, left] = [0, room];
  for (const text of kept.flatMap(({ texts }) => texts)) {
    if (lengthOf(text) > left) break;
    left -= lengthOf(text);
    shown += 1;
    yield text;
  }
  if (shown < all) yield `\n${all - shown} ${all - shown === 1 ? 'row' : 'rows'} omitted.\n`;
  yield note;
}

async function* rowsOf(
  part: TablePart,
  foreign: Foreign,
): AsyncIterable<{ text: string; first: boolean }> {
  if (part.part === 'matrix') {
    for (const [at] of part.rows.entries())
      yield { text: line(matrixCells(part, at, foreign)), first: false };
    return;
  }
  const { columns }: ReportTable = part;
  for await (const { cells, first = false } of part.rows())
    yield {
      text: line(columns.map((column, at) => cellText(column, cells[at] ?? null, foreign))),
      first,
    };
}

const matrixCells = (
  { rows, columns, cell }: ReportMatrix,
  row: number,
  foreign: Foreign,
): string[] => [
  foreign(rows[row] ?? ''),
  ...columns.map((_label, column) => cell(row, column).shown),
];

function cellText(column: Column, cell: Cell, foreign: Foreign): string {
  switch (column.kind) {
    case 'text':
      return foreign((cell as string | null) ?? '');
    case 'code':
      return foreign(
        typeof cell === 'string' ? cell : ((cell as readonly string[] | null) ?? []).join(', '),
      );
    case 'named': {
      const { id } = cell as { id: string };
      return foreign(id);
    }
    case 'mark': {
      const { word, note, text } = cell as Mark;
      return `${word}${note === undefined ? '' : ` (${note})`}${text === undefined ? '' : ` ${foreign(text)}`}`;
    }
    case 'link':
      return String((cell as CellLink).n);
    case 'rate':
      return estimateText(cell as Estimate | null);
    case 'difference':
      return differenceText(cell as Difference | null);
    case 'number':
      return numberText(cell as number | null, column.digits);
    case 'word':
      return cell === null || cell === '' ? '–' : wordOf(cell).replaceAll('|', '\\|');
  }
}
