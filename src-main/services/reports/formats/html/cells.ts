import type { Estimate } from '../../../../../src-shared/domain/metrics.ts';
import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import { neutralTime } from '../../../../../src-shared/display/dates.ts';
import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import type { RichText } from '../../../../../src-shared/display/verdictTexts.ts';
import { cutText, escapeHtml } from '../../escapeText.ts';
import { differenceText, numberText, rateParts, wordText } from '../../numberTexts.ts';
import { textsOf } from '../../report.ts';
import type { Cell, CellLink, Column, Difference, Mark } from '../../report.ts';
import { outcomeMark } from './glyphs.ts';

const maxCellLength = 2_000;
const maxNameLength = 120;

/** Untrusted text, isolated from the direction of the surrounding text. */
export const untrusted = (text: string, maxLength = maxCellLength): string =>
  `<bdi class="f">${escapeHtml(cutText(text, maxLength))}</bdi>`;

const code = (text: string): string =>
  `<code class="f">${escapeHtml(cutText(text, maxCellLength))}</code>`;

/** A sentence whose names were chosen by servers. */
export const rich = (text: RichText): string =>
  text
    .map((part) =>
      typeof part === 'string'
        ? escapeHtml(part)
        : `<code class="f">${escapeHtml(cutText(part.code, maxNameLength))}</code>`,
    )
    .join('');

/**
 * A link that filters the main table to the runs of a matrix cell; without its script it leads to
 * the table.
 */
export const filterLink = (cell: string, label: string, shown: string): string =>
  `<a href="#cases" data-cell="${escapeHtml(cell)}" ` +
  `aria-label="${escapeHtml(cutText(label, 500))}">${shown}</a>`;

const generalTones = ['good', 'bad', 'warning', 'soft'] as const;
const isGeneral = (tone: Mark['tone']): tone is (typeof generalTones)[number] =>
  generalTones.some((each) => each === tone);
const signOf = (tone: Mark['tone'], sign: string): string =>
  isGeneral(tone)
    ? `<span class="sign" aria-hidden="true">${escapeHtml(sign)}</span> `
    : outcomeMark(tone satisfies Outcome);

function markCell({ sign, word, tone, note, text }: Mark): string {
  const toneClass = isGeneral(tone) ? tone : `c-${tone}`;
  const noteText = note === undefined ? '' : ` <small>${escapeHtml(note)}</small>`;
  const details = text === undefined ? '' : `<br><small>${untrusted(text)}</small>`;
  return `<td><span class="o ${toneClass}">${signOf(tone, sign)}${word}</span>${noteText}${details}</td>`;
}

export function htmlCell(column: Column, cell: Cell): string {
  switch (column.kind) {
    case 'text':
      return `<td>${
        textsOf(cell)
          .map((text) => untrusted(text))
          .join('<br>') || '–'
      }</td>`;
    case 'code':
      return `<td>${(typeof cell === 'string' ? [cell] : ((cell as readonly string[] | null) ?? [])).map(code).join('<br>') || '–'}</td>`;
    case 'named': {
      const { id, name } = cell as { id: string; name: string };
      return `<td>${code(id)}${name === id ? '' : `<br>${untrusted(name)}`}</td>`;
    }
    case 'mark':
      return markCell(cell as Mark);
    case 'link': {
      const { n, cell: to, label } = cell as CellLink;
      return `<td class="n">${filterLink(to, label, formatCount(n))}</td>`;
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
    case 'time':
      return `<td>${neutralTime(cell as string | null)}</td>`;
    case 'word':
      return `<td>${cell === null || cell === '' ? '–' : escapeHtml(wordText(cell))}</td>`;
  }
}
