import { createHash } from 'node:crypto';
import { escapeHtml } from './escapeText.ts';

const style = `
:root{color-scheme:light dark;--ink:#1c2333;--soft:#5a6478;--line:#d5dae3;--ground:#fff;--raised:#f5f7fa;--right:#1b6e3c;--wrong:#a8321f;--link:#1f5fae;--heat:31,95,174}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8f0;--soft:#a0a9bb;--line:#343c4e;--ground:#141822;--raised:#1c2230;--right:#6fcf97;--wrong:#ff9c87;--link:#8ab8f5;--heat:110,160,230}}
*{box-sizing:border-box}
body{font:14px/1.5 system-ui,sans-serif;margin:0 auto;padding:32px;max-width:1280px;color:var(--ink);background:var(--ground)}
h1{font-size:24px;line-height:1.25;margin:0 0 4px}h2{font-size:17px;margin:32px 0 8px}p{margin:4px 0 12px}small,.soft{color:var(--soft)}a{color:var(--link)}
.f{unicode-bidi:isolate;overflow-wrap:anywhere;white-space:pre-wrap}code.f{font:12px/1.5 ui-monospace,monospace}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:16px 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid var(--line);padding:6px 8px;text-align:left;vertical-align:top}
th{font-weight:600;white-space:nowrap}thead th{position:sticky;top:0;background:var(--ground)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th button{all:unset;cursor:pointer}th button:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:2px}th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}
.matrix thead td{vertical-align:bottom;color:var(--soft);font-size:12px}.good{color:var(--right)}.bad,.warning{color:var(--wrong)}.o{white-space:nowrap}
table.matrix{width:auto}.matrix td{text-align:center;min-width:34px;font-variant-numeric:tabular-nums}.matrix thead th{position:static;vertical-align:bottom;font-weight:400}.matrix.narrow thead span{display:block;width:20px;margin:0 auto;writing-mode:vertical-rl;transform:rotate(180deg);max-height:220px;overflow-wrap:anywhere;white-space:normal}
.matrix tbody th{font-weight:400;white-space:normal;min-width:140px;max-width:280px}.matrix td a{display:block;color:inherit}.matrix .diagonal{font-weight:700;outline:1px solid var(--line)}.zero{color:var(--soft)}
.h1{background:rgba(var(--heat),.10)}.h2{background:rgba(var(--heat),.22)}.h3{background:rgba(var(--heat),.36)}.h4{background:rgba(var(--heat),.52)}
.verdict{border:1px solid var(--line);border-radius:8px;padding:16px 20px;margin:16px 0;break-inside:avoid}.verdict p,.verdict ul{margin:8px 0 0}.verdict ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:4px 20px}.verdict .head{margin:0;font-size:18px}.head strong{font-size:26px;line-height:1.2;margin-right:8px}.bar{display:block;width:100%;height:20px;margin:12px 0 4px;border-radius:4px}
.causes ul{list-style:none;padding:0;margin:0}.causes li{padding:3px 0;break-inside:avoid}.m{display:inline-block;min-width:22px;margin-right:8px;padding:0 3px;border-radius:4px;text-align:center;font-weight:700;font-size:12px;print-color-adjust:exact;-webkit-print-color-adjust:exact}.bar rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.passed .m,.m.passed{background:#009e73}.m{color:#06121f}.m.wrong_tool{background:#d55e00}.m.no_tool_called,.m.missing_call{background:#e69f00}.m.wrong_arguments{background:#0072b2;color:#fff}.m.unneeded_call{background:#cc79a7}.m.made_up_tool{background:#56b4e9}
rect.passed{fill:#a5dccb;stroke:#009e73}rect.wrong_tool{fill:#d55e00}rect.no_tool_called,rect.missing_call{fill:#e69f00}rect.wrong_arguments{fill:#0072b2}rect.unneeded_call{fill:#cc79a7}rect.made_up_tool{fill:#56b4e9}rect.not_scored{fill:#64748b}rect.not_run{fill:none;stroke:#64748b;stroke-dasharray:4}
#filter{display:flex;gap:12px;align-items:center;background:var(--raised);padding:8px 12px;margin:8px 0}#filter[hidden]{display:none}#filter button{font:inherit}
@media(max-width:700px){body{padding:16px}dl{grid-template-columns:1fr}dt{margin-top:4px}}
@media print{@page{size:A4;margin:14mm}:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--ground:#fff;--raised:#eee;--right:#0b4d27;--wrong:#8a1f10;--link:#000;--heat:90,90,90}body{padding:0;max-width:none;font-size:9.5pt}
thead{display:table-header-group}thead th{position:static}tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}th,td{padding:3px 5px}th,td.n,th.n{white-space:normal}td.n small{white-space:nowrap}th{overflow-wrap:normal}a{text-decoration:none}.matrix{break-inside:avoid}.matrix td,.matrix th{print-color-adjust:exact;-webkit-print-color-adjust:exact}#filter{display:none}}
`;

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
        return { row, key: numeric ? Number.parseFloat(text.replace('\\u2212', '-').replace(/^[<>]/, '')) : text };
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
 * The content security policy: only this style and script may run, and nothing may be loaded,
 * whatever a model wrote.
 */
export const contentPolicy =
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri ` +
  `'none'; form-action 'none'`;

/** The page up to its content. The title is untrusted. */
export const pageHead = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}"><meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
`;

export const pageEnd = `<script>${script}</script>
</body></html>
`;
