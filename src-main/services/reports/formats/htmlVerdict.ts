import { counted } from '../../../../src-shared/display/numbers.ts';
import type { Outcome } from '../../../../src-shared/domain/outcome.ts';
import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import type { Verdict } from '../../../../src-shared/domain/verdict.ts';
import {
  biggestCause,
  causeTitle,
  changeText,
  failedOf,
  failureParts,
  headlineOf,
  outcomesInOrder,
  rateOf,
  withoutAnswer,
  type RichText,
} from '../../../../src-shared/display/verdictTexts.ts';
import { cutText, escapeHtml } from '../escapeText.ts';

const maxCauses = 8;
const maxNameLength = 120;
/** Units of the drawing; its width on the page is that of the block. */
const barWidth = 1000;

const mark = (outcome: Outcome): string =>
  `<span class="m ${outcome}" aria-hidden="true">${outcomeTexts[outcome].glyph}</span>`;

/** A sentence whose names were chosen by servers. */
const rich = (text: RichText): string =>
  text
    .map((part) =>
      typeof part === 'string'
        ? escapeHtml(part)
        : `<code class="f">${escapeHtml(cutText(part.code, maxNameLength))}</code>`,
    )
    .join('');

/** The block that opens a report: how many passed, what failed, the biggest cause, the change. */
export function htmlVerdict(verdict: Verdict): string {
  const { rate, interval } = rateOf(verdict);
  const failed = failedOf(verdict.counts);
  const without = withoutAnswer(verdict.counts);
  const cause = biggestCause(verdict);
  const change = changeText(verdict);
  const items = failureParts(verdict.counts).map(
    ({ outcome, count, label }) =>
      `<li>${count > 0 ? mark(outcome) : ''}<b>${count}</b> ${label}</li>`,
  );
  const lines = [
    `<p class="head"><strong>${headlineOf(verdict)}</strong> <b>${escapeHtml(rate)}</b> <span class="soft">${interval}</span></p>`,
    bar(verdict),
    failed > 0 ? `<ul><li><b>${failed} failed</b></li>${items.join('')}</ul>` : '',
    without === '' ? '' : `<p class="soft">${without}</p>`,
    cause ? `<p><b>Biggest cause:</b> ${rich(cause.text)}</p>` : '',
    change ? `<p><b>${change.change}</b> ${escapeHtml(change.rest)}</p>` : '',
  ];
  return (
    `<section class="verdict" aria-label="Verdict">\n${lines.filter(Boolean).join('\n')}\n</section>\n` +
    causes(verdict)
  );
}

/** Outcomes as parts of one bar. Attributes, not styles: the page's policy allows no inline ones. */
function bar({ counts }: Verdict): string {
  const parts = outcomesInOrder(counts);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return '';
  let x = 0;
  const rects = parts.map(({ outcome, count }) => {
    const width = (count / total) * barWidth;
    const rect = `<rect class="${outcome}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="20"/>`;
    x += width;
    return rect;
  });
  const label = parts
    .map(({ outcome, count }) => `${count} ${outcome.replaceAll('_', ' ')}`)
    .join(', ');
  return `<svg class="bar" viewBox="0 0 ${barWidth} 20" preserveAspectRatio="none" role="img" aria-label="${label}">${rects.join('')}</svg>`;
}

/** The causes with the most failures; the appendix lists every run. */
function causes({ causes: all, severalServers, unit }: Verdict): string {
  if (all.length === 0) return '';
  const noun = unit === 'cases' ? 'case' : 'run';
  const rows = all
    .slice(0, maxCauses)
    .map(
      (cause) =>
        `<li>${mark(cause.outcome)}<span>${rich(causeTitle(cause, severalServers))}</span> <b>${counted(cause.runs, noun)}</b></li>`,
    );
  const more = all.length - maxCauses;
  return (
    `<section class="causes"><h2>What goes wrong</h2>\n<ul>${rows.join('\n')}</ul>\n` +
    `${more > 0 ? `<p class="soft">${counted(more, 'more cause')} in the table of cases.</p>\n` : ''}</section>\n`
  );
}
