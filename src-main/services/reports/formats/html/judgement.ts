import { judgementLines } from '../../../../../src-shared/display/judgementTexts.ts';
import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import type { Judgement, JudgementResult } from '../../../../../src-shared/domain/judgement.ts';
import { untrusted } from './cells.ts';

const maxLineLength = 2_000;

const signs: Readonly<Record<JudgementResult, string>> = {
  passed: '✓',
  failed: '✗',
  incomplete: '?',
};
const tones: Readonly<Record<JudgementResult, string>> = {
  passed: 'good',
  failed: 'bad',
  incomplete: 'warning',
};

/** Of the reasons of a check, in characters. */
const lineLength = 100;
/** Lines of reasons that fit on the first page, next to what leads it, and of each of them. */
const maxLines = 12;
const maxLinesOfOne = 4;

/** The space between paragraphs is half a line. */
const linesOf = (text: string): number =>
  Math.min(maxLinesOfOne, Math.ceil(text.length / lineLength)) + 0.5;

/** The headline and the reasons; what differs in broken cases follows them. */
const reasonsOf = (judgement: Judgement): string[] =>
  judgementLines(judgement, undefined, { differences: false });

/** The first reasons, as many as fit on the first page; at least one. */
function firstReasons(judgement: Judgement): string[] {
  let lines = 0;
  const [, ...reasons] = reasonsOf(judgement);
  const end = reasons.findIndex((text) => (lines += linesOf(text)) > maxLines);
  return end === -1 ? reasons : reasons.slice(0, Math.max(1, end));
}

/** How many lines they take there. */
export const reasonLines = (judgement: Judgement): number =>
  Math.ceil(firstReasons(judgement).reduce((lines, text) => lines + linesOf(text), 0));

const paragraphs = (reasons: readonly string[], maxLength = maxLineLength): string =>
  reasons.map((text) => `<p>${untrusted(text, maxLength)}</p>`).join('\n');

/**
 * What a build passes or fails by, with its reasons.
 *
 * @param elsewhere where the reasons are that don't fit on the first page; null: there is no such page
 */
export function htmlJudgement(judgement: Judgement, elsewhere: string | null): string {
  const { result } = judgement;
  const [headline = '', ...all] = reasonsOf(judgement);
  const reasons = elsewhere === null ? all : firstReasons(judgement);
  const more = all.length - reasons.length;
  return (
    '<section class="verdict opening" aria-label="Check"><div class="body">' +
    `<p class="head"><strong class="${tones[result]}"><span aria-hidden="true">${signs[result]}</span> ${headline}</strong></p>\n` +
    paragraphs(reasons, elsewhere === null ? maxLineLength : maxLinesOfOne * lineLength) +
    (more > 0 ? `<p class="note">${formatCount(more)} more ${elsewhere}</p>` : '') +
    '</div></section>\n'
  );
}

/** Every reason, where the first page has not all of them. */
export function allReasons(judgement: Judgement): string {
  const [, ...all] = reasonsOf(judgement);
  const isCut = all.some((text) => text.length > maxLinesOfOne * lineLength);
  return all.length === firstReasons(judgement).length && !isCut
    ? ''
    : `<section><h2>Reasons</h2>\n${paragraphs(all)}</section>\n`;
}
