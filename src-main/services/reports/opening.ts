import {
  plainText,
  verdictLines,
  type QuoteName,
} from '../../../src-shared/display/verdictTexts.ts';
import type { Report } from './report.ts';

/** The opening of a report as lines of text, the finding first; names pass through `quote`. */
export const openingLines = (
  { opening, cover }: Pick<Report, 'opening' | 'cover'>,
  quote?: QuoteName,
): string[] =>
  cover
    ? verdictLines(cover.verdict, quote)
    : [opening.headline, ...opening.lines].map((text) => plainText(text, quote));
