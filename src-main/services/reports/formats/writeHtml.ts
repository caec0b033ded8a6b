import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { cutText, escapeHtml } from '../escapeText.ts';
import { pageEnd, pageHead } from '../htmlPage.ts';
import { htmlVerdict } from './htmlVerdict.ts';
import type {
  Cell,
  CellLink,
  Column,
  Difference,
  Mark,
  Report,
  ReportMatrix,
  ReportRow,
  ReportTable,
  WriteFormat,
} from '../report.ts';
import { differenceText, numberText, rateParts, wordText } from '../numberTexts.ts';

/** A larger matrix can't be read any more. */
const maxMatrixSize = 42;
const maxCellLength = 2_000;
/**
 * Rows are yielded in chunks of this many characters, because every step through the generators
 * costs as much as a row.
 */
const flushLength = 16 * 1024;

/** Untrusted text, isolated from the direction of the surrounding text. */
const untrusted = (text: string): string =>
  `<bdi class="f">${escapeHtml(cutText(text, maxCellLength))}</bdi>`;
const code = (text: string): string =>
  `<code class="f">${escapeHtml(cutText(text, maxCellLength))}</code>`;
const isNumeric = ({ kind }: Column): boolean =>
  kind === 'number' || kind === 'rate' || kind === 'difference' || kind === 'link';

/** A self-contained page: no requests, no inline handlers, readable without its script. */
export const writeHtml: WriteFormat = async function* (report: Report) {
  const { title, generated, facts, parts, verdict } = report;
  yield pageHead(title);
  yield (
    `<header><h1><bdi class="f">${escapeHtml(cutText(title, 300))}</bdi></h1>\n<p ` +
    `class="soft">${untrusted(generated)}</p></header>\n<main>\n`
  );
  if (verdict) yield htmlVerdict(verdict);
  yield `<dl>${facts.map(({ name, value }) => `<dt>${escapeHtml(name)}</dt><dd>${untrusted(value)}</dd>`).join('\n')}</dl>\n`;
  for (const part of parts) {
    if (part.part === 'note') yield `<p><small>${escapeHtml(part.text)}</small></p>\n`;
    else if (part.part === 'matrix') yield* matrix(part);
    else yield* table(part);
  }
  yield '</main>\n';
  yield pageEnd;
};

/**
 * A link that filters the main table to the runs of a matrix cell; without its script it leads to
 * the table.
 */
const link = (cell: string, label: string, shown: string): string =>
  `<a href="#cases" data-cell="${escapeHtml(cell)}" ` +
  `aria-label="${escapeHtml(cutText(label, 500))}">${shown}</a>`;

function* matrix({ title, note, rows, columns, cell, corner }: ReportMatrix): Iterable<string> {
  if (Math.max(rows.length, columns.length) > maxMatrixSize) return;
  const short = (label: string): string =>
    `<span class="f">${escapeHtml(cutText(label, 80))}</span>`;
  const matrixCell = (row: number, column: number): string => {
    const { shown, weight, correct = row === column, link: opens } = cell(row, column);
    const cssClass = weight <= 0 ? 'zero' : `h${Math.min(4, Math.ceil(weight * 4))}`;
    return (
      '<td ' +
      `class="${cssClass}${correct ? ' diagonal' : ''}">${opens ? link(opens.cell, opens.label, escapeHtml(shown)) : escapeHtml(shown)}</td>`
    );
  };
  yield `<section><h2>${escapeHtml(title)}</h2>\n<p class="soft">${escapeHtml(note)}</p>\n`;
  yield (
    '<div class="wide"><table ' +
    `class="matrix${columns.length > 3 ? ' narrow' : ''}"><thead><tr><td>${escapeHtml(corner)}</td>${columns.map((label) => `<th scope="col">${short(label)}</th>`).join('')}</tr></thead><tbody>`
  );
  for (const [row, label] of rows.entries())
    yield (
      '<tr><th ' +
      `scope="row">${short(label)}</th>${columns.map((_label, column) => matrixCell(row, column)).join('')}</tr>\n`
    );
  yield '</tbody></table></div></section>\n';
}

async function* table({
  title,
  columns,
  rows,
  note,
  main = false,
  emptyText = 'None.',
}: ReportTable): AsyncIterable<string> {
  const heads = columns
    .map(
      (column) =>
        `<th scope="col"${isNumeric(column) ? ' class="n"' : ''}>${escapeHtml(column.title)}</th>`,
    )
    .join('');
  const begin =
    '<div class="wide"><table ' +
    `class="sortable"${main ? ' id="runs"' : ''}><thead><tr>${heads}</tr></thead><tbody>\n`;
  yield `<section${main ? ' id="cases"' : ''}><h2>${escapeHtml(title)}</h2>\n`;
  if (main)
    yield (
      '<div id="filter" hidden role="status"><span></span><button type="button">Show ' +
      'all</button></div>\n'
    );
  let [shown, text] = [0, begin];
  for await (const row of rows()) {
    shown += 1;
    text += tableRow(columns, row);
    if (text.length < flushLength) continue;
    yield text;
    text = '';
  }
  yield shown === 0 ? `<p>${escapeHtml(emptyText)}</p>` : `${text}</tbody></table></div>`;
  if (note !== undefined && shown > 0) yield `\n<p><small>${escapeHtml(note)}</small></p>`;
  yield '</section>\n';
}

function tableRow(columns: readonly Column[], { cells, units }: ReportRow): string {
  let text = units === undefined ? '<tr>' : `<tr data-u="${escapeHtml(units)}">`;
  for (const [at, column] of columns.entries()) text += htmlCell(column, cells[at] ?? null);
  return `${text}</tr>\n`;
}

/** One cell as HTML. */
function htmlCell(column: Column, cell: Cell): string {
  switch (column.kind) {
    case 'text':
      return `<td>${cell === null || cell === '' ? '–' : untrusted(cell as string)}</td>`;
    case 'code':
      return `<td>${(typeof cell === 'string' ? [cell] : ((cell as readonly string[] | null) ?? [])).map(code).join('<br>') || '–'}</td>`;
    case 'named': {
      const { id, name } = cell as { id: string; name: string };
      return `<td>${code(id)}${name === id ? '' : `<br>${untrusted(name)}`}</td>`;
    }
    case 'mark': {
      const { sign, word, tone, note, text } = cell as Mark;
      return (
        `<td><span class="o ${tone}"><span class="m" aria-hidden="true">${sign}</span>` +
        `${word}</span>${note === undefined ? '' : ` <small>${escapeHtml(note)}</small>`}${text === undefined ? '' : `<br><small>${untrusted(text)}</small>`}</td>`
      );
    }
    case 'link': {
      const { n, cell: to, label } = cell as CellLink;
      return `<td class="n">${link(to, label, String(n))}</td>`;
    }
    case 'rate': {
      if (cell === null) return '<td class="n">–</td>';
      const { value, rest } = rateParts(cell as Estimate);
      return `<td class="n">${escapeHtml(value)} <small>${escapeHtml(rest)}</small></td>`;
    }
    case 'difference':
      return `<td class="n">${differenceText(cell as Difference | null)}</td>`;
    case 'number':
      return `<td class="n">${numberText(cell as number | null, column)}</td>`;
    case 'word':
      return `<td>${cell === null || cell === '' ? '–' : escapeHtml(wordText(cell))}</td>`;
  }
}
