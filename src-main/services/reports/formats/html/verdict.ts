import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { outcomeTexts } from '../../../../../src-shared/display/outcomeTexts.ts';
import {
  biggestCause,
  changeText,
  failedOf,
  failureParts,
  headlineOf,
  outcomesInOrder,
  rateOf,
  scoredOf,
  withoutAnswer,
  type OutcomeCounts,
} from '../../../../../src-shared/display/verdictTexts.ts';
import {
  counted,
  formatCount,
  formatPercent,
  namedInterval,
} from '../../../../../src-shared/display/numbers.ts';
import { escapeHtml } from '../../escapeText.ts';
import type { Opening } from '../../report.ts';
import { rich, untrusted } from './cells.ts';
import { glyph, outcomeMark } from './glyphs.ts';

/** From this share of a bar on, a segment has room for its glyph and count. */
const minShareForCount = { whole: 0.065, besideName: 0.16 };
/** More models than this are in the appendix. */
const maxModels = 6;
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/**
 * The block that opens a report: how many passed, what failed, the biggest cause, the change.
 * Drawings have attributes, not styles: the page's policy allows no inline ones.
 */
export function htmlVerdict(verdict: Verdict, modelNames: ReadonlyMap<string, string>): string {
  const { rate, interval } = rateOf(verdict);
  const failed = failedOf(verdict.counts);
  const without = withoutAnswer(verdict.counts);
  const cause = biggestCause(verdict);
  const change = changeText(verdict);
  const items = failureParts(verdict.counts).map(({ outcome, count, label }) =>
    count > 0
      ? `<li>${outcomeMark(outcome)}<span><b class="num">${formatCount(count)}</b> ${label}</span></li>`
      : `<li class="soft">${formatCount(count)} ${label}</li>`,
  );
  const legend = [
    ...(failed > 0 ? [`<li><b>${formatCount(failed)} failed</b></li>`, ...items] : []),
    ...(without === '' ? [] : [`<li class="soft">${without}</li>`]),
  ];
  const changed = change
    ? `<span class="soft">${change.change} ${escapeHtml(change.rest)}</span>`
    : '';
  const body = [
    `<p class="head num"><strong>${headlineOf(verdict)}</strong>${scoredOf(verdict.counts) > 0 ? `<span>${escapeHtml(rate)}</span>` : ''}<span class="soft">${interval}</span>${changed}</p>`,
    verdict.models.length > 1
      ? modelBars(verdict, modelNames)
      : outcomeBar(verdict.counts, 'whole') + whisker(verdict),
    legend.length === 0 ? '' : `<ul class="legend">${legend.join('')}</ul>`,
  ];
  const next = cause
    ? `<div class="next"><p><b>${cause.label}:</b> ${rich(cause.text)}</p></div>`
    : '';
  return `<section class="verdict" aria-label="Verdict"><div class="body">\n${body.filter(Boolean).join('\n')}\n</div>${next}</section>\n`;
}

/** The block that opens every other report: its finding, and what supports it. */
export function htmlOpening({ headline, lines }: Opening): string {
  const rest = lines.map((line) => `<p>${rich(line)}</p>`);
  return (
    '<section class="verdict opening" aria-label="Verdict"><div class="body">' +
    `<p class="head num"><strong>${rich(headline)}</strong></p>\n${rest.join('\n')}</div></section>\n`
  );
}

/** Outcomes as parts of one bar; a part with room shows its glyph and count. */
function outcomeBar(counts: OutcomeCounts, room: keyof typeof minShareForCount): string {
  const parts = outcomesInOrder(counts);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return '';
  let start = 0;
  const segments = parts.map(({ outcome, count }) => {
    const share = count / total;
    const segment = barSegment(outcome, count, start, share, share >= minShareForCount[room]);
    start += share;
    return segment;
  });
  const label = parts
    .map(({ outcome, count }) => `${formatCount(count)} ${outcomeTexts[outcome].label}`)
    .join(', ');
  return `<svg class="bar" role="img" aria-label="${label}">${segments.join('')}</svg>`;
}

function barSegment(
  outcome: Outcome,
  count: number,
  start: number,
  share: number,
  hasRoom: boolean,
): string {
  const rect = `<rect x="${percent(start)}" width="${percent(share)}" height="20" rx="3"/>`;
  const middle = percent(start + share / 2);
  const inside = !hasRoom
    ? ''
    : `<svg x="${middle}">${glyph(outcome).replace('<svg ', '<svg x="-19" y="3.5" width="13" height="13" ')}<text x="0" y="14.5">${formatCount(count)}</text></svg>`;
  return `<g class="c-${outcome}">${rect}${inside}</g>`;
}

/** The rate with its interval on the scale of the bar, if the bar shows scored runs only. */
function whisker({ counts, passRate: { value, low, high } }: Verdict): string {
  if (value === null || low === null || high === null) return '';
  if (counts.not_scored + counts.not_run > 0) return '';
  const end = (share: number) =>
    `<line x1="${percent(share)}" x2="${percent(share)}" y1="0" y2="8"/>`;
  return (
    `<svg class="whisker" aria-hidden="true"><line x1="${percent(low)}" x2="${percent(high)}" y1="4" y2="4"/>` +
    `${end(low)}${end(high)}<circle cx="${percent(value)}" cy="4" r="3.5"/></svg>`
  );
}

/** One line per model, the best first: name, bar, and how many passed. */
function modelBars({ models }: Verdict, names: ReadonlyMap<string, string>): string {
  const lines = models.slice(0, maxModels).map(({ modelSettingsId, counts, passRate }) => {
    return (
      `<li>${untrusted(names.get(modelSettingsId) ?? '', 120)}${outcomeBar(counts, 'besideName')}` +
      `<span>${formatCount(counts.passed)} of ${formatCount(scoredOf(counts))}</span>` +
      `<b>${escapeHtml(formatPercent(passRate.value))}</b>` +
      `<span class="soft">${namedInterval(passRate, 'CI')}</span></li>`
    );
  });
  const rest = models.length - lines.length;
  const more = rest > 0 ? `<p class="soft">${counted(rest, 'more model')} in the appendix</p>` : '';
  return `<ul class="models num">${lines.join('\n')}</ul>${more}`;
}
