import type { ReportSubject } from '../../../../../src-shared/domain/report.ts';
import { plainText } from '../../../../../src-shared/display/verdictTexts.ts';
import { cutText, escapeHtml } from '../../escapeText.ts';
import { shownGenerated } from '../../generatedBy.ts';
import type {
  Column,
  Report,
  ReportPart,
  ReportRow,
  ReportTable,
  WriteFormat,
} from '../../report.ts';
import { htmlCell, untrusted } from './cells.ts';
import { htmlCover } from './cover.ts';
import { allReasons, htmlJudgement } from './judgement.ts';
import { matrixTable } from './matrix.ts';
import { pageEnd, pageHead } from './page.ts';
import { htmlOpening } from './verdict.ts';

/**
 * Rows are yielded in chunks of this many characters, because every step through the generators
 * costs as much as a row.
 */
const flushLength = 16 * 1024;
const maxHeadingLength = 300;

const kinds: Readonly<Record<ReportSubject, string>> = {
  evaluation: 'Evaluation report',
  comparison: 'Comparison report',
  similarity: 'Similarity report',
  retrieval: 'Retrieval report',
  security: 'Security report',
  tokens: 'Token report',
  lint: 'Quality report',
  tasks: 'Task evaluation report',
};

const isNumeric = ({ kind }: Column): boolean =>
  kind === 'number' || kind === 'rate' || kind === 'difference' || kind === 'link';

/**
 * A self-contained page: no requests, no inline handlers, readable without its script. An evaluation
 * has a first page that prints on one sheet, and everything else as its appendix, which the short form
 * leaves out.
 */
export const writeHtml: WriteFormat = async function* (report: Report, { short }) {
  const { title, cover, opening, judgement } = report;
  yield pageHead(`${title}: ${plainText(opening.headline)}`);
  yield `<main>\n<div class="sheet${cover ? '' : ' wide'}">\n${header(report)}`;
  const elsewhere = short ? 'in the full report' : 'in the appendix';
  if (judgement) yield htmlJudgement(judgement, cover ? elsewhere : null);
  yield cover ? await htmlCover(cover, judgement, elsewhere) : htmlOpening(opening);
  if (cover && !short) {
    yield '</div>\n<div class="sheet wide"><h2 class="appendix">Appendix</h2>\n';
    if (judgement) yield allReasons(judgement);
  }
  if (!cover || !short) yield facts(report);
  if (!short) for (const part of report.parts) yield* partText(part);
  yield '</div>\n</main>\n';
  yield pageEnd;
};

function header({ subject, title, generated, cover }: Report): string {
  const heading = `<h1>${untrusted(cover?.heading ?? title, maxHeadingLength)}</h1>\n`;
  const subtitle = cover
    ? `<p class="sub">${untrusted(cover.subtitle, maxHeadingLength)}</p>\n`
    : '';
  return (
    `<header><div class="top"><span class="stone" aria-hidden="true"></span><b>${kinds[subject]}</b>` +
    `<span class="when num">${escapeHtml(cutText(shownGenerated(generated), maxHeadingLength))}</span></div>\n` +
    `${heading}${subtitle}</header>\n`
  );
}

const facts = ({ facts: all }: Report): string =>
  `<dl class="facts">${all.map(({ name, value }) => `<dt>${escapeHtml(name)}</dt><dd>${untrusted(value)}</dd>`).join('\n')}</dl>\n`;

async function* partText(part: ReportPart): AsyncIterable<string> {
  if (part.part === 'note') yield `<p><small>${escapeHtml(part.text)}</small></p>\n`;
  else if (part.part === 'table') yield* table(part);
  else {
    const drawn = matrixTable(part);
    if (drawn !== '')
      yield `<section><h2>${escapeHtml(part.title)}</h2>\n<p class="soft">${escapeHtml(part.note)}</p>\n${drawn}</section>\n`;
  }
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
    '<div class="scroll"><table ' +
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
