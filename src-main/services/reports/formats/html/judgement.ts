import { judgementLines } from '../../../../../src-shared/display/judgementTexts.ts';
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

/** What a build passes or fails by, with its reasons. */
export function htmlJudgement(judgement: Judgement): string {
  const { result } = judgement;
  const [headline = '', ...reasons] = judgementLines(judgement, undefined, { differences: false });
  const items = reasons.map((text) => `<p>${untrusted(text, maxLineLength)}</p>`);
  return (
    '<section class="verdict opening" aria-label="Check"><div class="body">' +
    `<p class="head"><strong class="${tones[result]}"><span aria-hidden="true">${signs[result]}</span> ${headline}</strong></p>\n` +
    `${items.join('\n')}</div></section>\n`
  );
}
