import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { judgementLines } from '../../../../src-shared/display/judgementTexts.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { codeSpan, cutText } from '../escapeText.ts';
import { shownGenerated } from '../generatedBy.ts';
import { openingLines } from '../opening.ts';
import { textsOf } from '../report.ts';
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
import { differenceText, estimateText, numberText, wordText } from '../numberTexts.ts';

/**
 * Size limits with some reserve: GitHub comments take 65,536 characters, step summaries 1 MiB in
 * bytes.
 */
export const maxShortMarkdown = 60_000;
export const maxSummaryBytes = 880 * 1024;
/** Reserved per table for the line that counts omitted rows. */
const omissionReserve = 120;
const maxShortCell = 160;
const maxShortReason = 1000;
const maxMatrixColumns = 20;

/** How much may be written, and in which unit it is measured. */
interface SizeLimit {
  short: boolean;
  maxLength: number;
  lengthOf: (text: string) => number;
}

const unlimited: SizeLimit = { short: false, maxLength: Infinity, lengthOf: () => 0 };
const comment: SizeLimit = {
  short: true,
  maxLength: maxShortMarkdown,
  lengthOf: (text) => text.length,
};
const summary: SizeLimit = {
  short: true,
  maxLength: maxSummaryBytes,
  lengthOf: (text) => Buffer.byteLength(text),
};

export const writeMarkdown: WriteFormat = (report, { short }) =>
  write(report, short ? comment : unlimited);
/** Markdown for the summary of a GitHub Actions step. */
export const writeSummary: WriteFormat = (report) => write(report, summary);

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Writes rows as long as they fit and every table can still say how many rows it left out. */
async function* write(
  report: Report,
  { short, maxLength, lengthOf }: SizeLimit,
): AsyncIterable<string> {
  const untrusted = (text: string): string => codeSpan(short ? cutText(text, maxShortCell) : text);
  // A reason may name ten cases, and is the last to be cut.
  const reason = (text: string): string => codeSpan(short ? cutText(text, maxShortReason) : text);
  const head = headerText(report, untrusted, reason);
  const parts = report.parts.filter(
    (part) => part.part !== 'matrix' || (!short && part.columns.length <= maxMatrixColumns),
  );
  const texts = parts
    .map((part) => (part.part === 'note' ? part.text.length + 2 : 0))
    .reduce((sum, length) => sum + length, 0);
  let remaining = maxLength - parts.length * omissionReserve - texts - lengthOf(head);
  yield head;
  for (const part of parts) {
    if (part.part === 'note') {
      yield `\n${part.text}\n`;
      continue;
    }
    for await (const text of short
      ? shortTable(part, untrusted, remaining, lengthOf)
      : fullTable(part, untrusted)) {
      remaining -= lengthOf(text);
      yield text;
    }
  }
}

function headerText(
  report: Report,
  untrusted: (text: string) => string,
  reason: (text: string) => string,
): string {
  const { title, generated, facts, judgement } = report;
  const items = facts.map(
    ({ name, value, untrusted: isUntrusted }) =>
      `- ${name}: ${isUntrusted ? untrusted(value) : value}\n`,
  );
  const [headline = '', ...lines] = openingLines(report, untrusted);
  const [result, ...reasons] = judgement ? judgementLines(judgement, reason) : [];
  const decision =
    result === undefined
      ? ''
      : `**${result}**\n\n${reasons.map((text) => `- ${text}\n`).join('')}\n`;
  const evidence = lines.length === 0 ? '' : `${lines.map((text) => `- ${text}\n`).join('')}\n`;
  return (
    `# ${untrusted(title)}\n\n${decision}**${headline}**\n\n${evidence}` +
    `${untrusted(shownGenerated(generated))}\n\n${items.join('')}`
  );
}

type FormatUntrusted = (text: string) => string;
type TablePart = Exclude<ReportPart, { part: 'note' }>;

const tableHead = (title: string, columns: readonly string[]): string =>
  `\n## ${title}\n\n${line(columns)}${line(columns.map(() => '---'))}`;
const headLine = (part: TablePart, untrusted: FormatUntrusted): string[] =>
  part.part === 'matrix'
    ? [part.corner, ...part.columns.map(untrusted)]
    : part.columns.map(({ title }) => title);

/**
 * All rows; the heading is written with the first one, so that an empty table gets its own text.
 */
async function* fullTable(part: TablePart, untrusted: FormatUntrusted): AsyncIterable<string> {
  let shown = 0;
  for await (const row of rowsOf(part, untrusted)) {
    if (shown === 0) yield tableHead(part.title, headLine(part, untrusted));
    shown += 1;
    yield row.text;
  }
  if (shown === 0) yield emptyTable(part);
  else if (part.note !== undefined) yield `\n${part.note}\n`;
}

const emptyTable = (part: TablePart): string =>
  `\n## ${part.title}\n\n${(part.part === 'table' ? part.emptyText : undefined) ?? 'None.'}\n`;

/**
 * Reads the rows once. Important and other rows are collected separately, each up to the limit, and
 * important ones are written first.
 */
async function* shortTable(
  part: TablePart,
  untrusted: FormatUntrusted,
  maxLength: number,
  lengthOf: (text: string) => number,
): AsyncIterable<string> {
  const head = tableHead(part.title, headLine(part, untrusted));
  const note = part.note === undefined ? '' : `\n${part.note}\n`;
  const remaining = maxLength - lengthOf(head) - lengthOf(note);
  const lists = [
    { texts: [] as string[], left: remaining },
    { texts: [] as string[], left: remaining },
  ];
  let total = 0;
  for await (const { text, important } of rowsOf(part, untrusted)) {
    total += 1;
    const list = lists[important ? 0 : 1];
    if (!list || list.left <= 0) continue;
    const length = lengthOf(text);
    // The first row that does not fit ends its list, so that no later row takes its place.
    if (length > list.left) list.left = 0;
    else {
      list.left -= length;
      list.texts.push(text);
    }
  }
  if (total === 0) {
    yield emptyTable(part);
    return;
  }
  yield head;
  let [shown, left] = [0, remaining];
  for (const text of lists.flatMap(({ texts }) => texts)) {
    if (lengthOf(text) > left) break;
    left -= lengthOf(text);
    shown += 1;
    yield text;
  }
  if (shown < total) yield `\n${total - shown} ${total - shown === 1 ? 'row' : 'rows'} omitted.\n`;
  yield note;
}

async function* rowsOf(
  part: TablePart,
  untrusted: FormatUntrusted,
): AsyncIterable<{ text: string; important: boolean }> {
  if (part.part === 'matrix') {
    for (const [at] of part.rows.entries())
      yield { text: line(matrixCells(part, at, untrusted)), important: false };
    return;
  }
  const { columns }: ReportTable = part;
  for await (const { cells, important = false } of part.rows())
    yield {
      text: line(columns.map((column, at) => cellText(column, cells[at] ?? null, untrusted))),
      important,
    };
}

const matrixCells = (
  { rows, columns, cell }: ReportMatrix,
  row: number,
  untrusted: FormatUntrusted,
): string[] => [
  untrusted(rows[row] ?? ''),
  ...columns.map((_label, column) => cell(row, column).shown || '·'),
];

/** One cell as Markdown; untrusted text goes through `untrusted`. */
function cellText(column: Column, cell: Cell, untrusted: FormatUntrusted): string {
  switch (column.kind) {
    case 'text':
      return textsOf(cell).map(untrusted).join(' · ') || '–';
    case 'code':
      return untrusted(
        typeof cell === 'string' ? cell : ((cell as readonly string[] | null) ?? []).join(', '),
      );
    case 'named': {
      const { id } = cell as { id: string };
      return untrusted(id);
    }
    case 'mark': {
      const { sign, word, tone, note, text } = cell as Mark;
      return `${tone === 'soft' ? '' : `${sign} `}${word}${note === undefined ? '' : ` (${note})`}${text === undefined ? '' : ` ${untrusted(text)}`}`;
    }
    case 'link':
      return formatCount((cell as CellLink).n);
    case 'rate':
      return estimateText(cell as Estimate | null);
    case 'difference':
      return differenceText(cell as Difference | null);
    case 'number':
      return numberText(cell as number | null, column);
    case 'time':
      return neutralTime(cell as string | null);
    case 'word':
      return cell === null || cell === '' ? '–' : wordText(cell).replaceAll('|', '\\|');
  }
}
