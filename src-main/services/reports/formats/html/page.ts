import { createHash } from 'node:crypto';
import { escapeHtml } from '../../escapeText.ts';
import { fontFaces } from './fonts.ts';
import { glyphSymbols } from './glyphs.ts';
import { style } from './style.ts';

// Progressive enhancement of a page that is readable without it: sortable columns, and matrix cells
// that filter the runs.
const script = `
'use strict';
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const numeric = head.classList.contains('n');
      const keyed = [...table.tBodies[0].rows].map((row) => {
        const text = row.cells[at].textContent;
        return { row, key: numeric ? Number.parseFloat(text.replace('\\u2212', '-').replace(/^[<>]/, '').replaceAll(',', '')) : text };
      });
      const missing = ({ key }) => Number.isNaN(key);
      const collator = new Intl.Collator('en', { numeric: true });
      keyed.sort((a, b) => {
        if (numeric && (missing(a) || missing(b))) return Number(missing(a)) - Number(missing(b));
        const order = numeric ? a.key - b.key : collator.compare(a.key, b.key);
        return up ? order : -order;
      });
      table.tBodies[0].append(...keyed.map(({ row }) => row));
    });
  });
}
const bar = document.getElementById('filter');
const runs = document.getElementById('runs');
if (bar && runs) {
  const show = (cell, words) => {
    for (const row of runs.tBodies[0].rows) row.hidden = cell !== null && !(row.dataset.u || '').split(' ').includes(cell);
    bar.hidden = cell === null;
    bar.firstElementChild.textContent = words;
  };
  for (const link of document.querySelectorAll('a[data-cell]')) link.addEventListener('click', () => { show(link.dataset.cell, link.getAttribute('aria-label')); });
  bar.lastElementChild.addEventListener('click', () => { show(null, ''); });
}
`;

/** The policy names style and script by hash, so that no other inline code can run. */
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The page up to its content, with a policy by which only this style and script may run and nothing
 * may be loaded, whatever a model wrote. The title is untrusted.
 */
export function pageHead(title: string): string {
  const rules = `${fontFaces()}${style}`;
  const policy =
    `default-src 'none'; style-src ${hashOf(rules)}; font-src data:; script-src ${hashOf(script)}; ` +
    "base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title><style>${rules}</style></head>
<body>
${glyphSymbols}`;
}

export const pageEnd = `<script>${script}</script>
</body></html>
`;
