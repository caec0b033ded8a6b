import { maxLevelHeads } from '../../../../../src-shared/display/matrixAxes.ts';
import { cutText, escapeHtml } from '../../escapeText.ts';
import { maxMatrixSize, type ReportMatrix } from '../../report.ts';
import { filterLink } from './cells.ts';

/** A name that may break after each underscore, where a person expects it. */
const breakable = (name: string): string => escapeHtml(name).replaceAll('_', '_<wbr>');

/** True if the names of the columns stand upright, so that the matrix needs the whole width. */
export const isWide = ({ columns }: ReportMatrix): boolean => columns.length > maxLevelHeads;

/** The table of a matrix; nothing if it is too large. */
export function matrixTable(matrix: ReportMatrix): string {
  const { rows, columns, corner } = matrix;
  if (Math.max(rows.length, columns.length) > maxMatrixSize) return '';
  const upright = isWide(matrix);
  const head = (label: string): string => {
    const name = cutText(label, 80);
    return `<th scope="col"><span class="f">${upright ? escapeHtml(name) : breakable(name)}</span></th>`;
  };
  const body = rows.map((label, row) => {
    const cells = columns.map((_label, column) => matrixCell(matrix, row, column)).join('');
    return `<tr><th scope="row"><span class="f">${escapeHtml(cutText(label, 80))}</span></th>${cells}</tr>`;
  });
  return (
    `<div class="scroll"><table class="matrix${upright ? ' upright' : ''}"><thead>${bandRow(matrix)}<tr>` +
    `<td>${breakable(corner)}</td>${columns.map(head).join('')}</tr></thead>\n` +
    `<tbody>${body.join('\n')}</tbody></table></div>`
  );
}

/** The names of servers over their tools. */
function bandRow({ bands = [] }: ReportMatrix): string {
  if (bands.length === 0) return '';
  const cells = bands.map(({ name, length }) =>
    name === null
      ? `<td colspan="${length}"></td>`
      : `<th class="band" scope="colgroup" colspan="${length}"><span class="f">${escapeHtml(cutText(name, 40))}</span></th>`,
  );
  return `<tr><td></td>${cells.join('')}</tr>`;
}

function matrixCell({ cell }: ReportMatrix, row: number, column: number): string {
  const { shown, weight, tone, link } = cell(row, column);
  const text = link ? filterLink(link.cell, link.label, escapeHtml(shown)) : escapeHtml(shown);
  return `<td class="${tone === undefined ? heatClass(weight) : toneClass(tone, shown)}">${text}</td>`;
}

const heatClass = (weight: number): string =>
  weight <= 0 ? 'zero' : `h${Math.min(4, Math.ceil(weight * 4))}`;

function toneClass(tone: string, shown: string): string {
  if (shown === '') return 'none';
  return tone === 'correct' ? 'ok' : `c-${tone} ${shown === '1' ? 'e1' : 'e2'}`;
}
