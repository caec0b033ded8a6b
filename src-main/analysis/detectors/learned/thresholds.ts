import type { Severity } from '../../../../src-shared/domain/severity.ts';
import { places } from './places.ts';

/**
 * A sentence with at least this score is reported, by the kind of text that holds it: a sentence is
 * expected in a description, and rare in an enum, a default or a title. Chosen with weights that had
 * not seen the author or the server (`scripts/attacks/crossValidate.ts author`).
 */
export const reportedIn: Readonly<Record<number, number>> = {
  [places.description]: -0.85,
  [places.value]: -0.95,
  [places.title]: -0.8,
  [places.instructions]: -0.85,
  [places.output]: -0.8,
  [places.parameter]: -0.8,
};

/**
 * Lower thresholds where the circumstances speak for themselves: an encoded sentence, one in a
 * comment that people don't see, or one that a tool didn't have when it was listed before. Chosen in
 * the same way.
 */
export const reportedWhere = { encoded: -2.1, commented: -1.9, new: -0.5 } as const;

/** Sentences of a usual text; a longer one has more of them that can score high by chance. */
const usualSentences = 8;
/**
 * By how much honest sentences exceed a high score on average. Their scores fall off exponentially,
 * so the threshold has to grow by this much for each factor e in the number of sentences if the
 * chance of a false alarm is to stay the same.
 */
const meanExcess = 0.45;

/** Few honest texts in other languages than English were known: theirs need more, too. */
export const raisedBy = (text: string, sentences: number): number =>
  meanExcess * Math.log(Math.max(1, sentences / usualSentences)) + raisedByScript(text);

function raisedByScript(text: string): number {
  if (/[\u3040-\u9fff]/.test(text)) return 0.8;
  return /[\u00c0-\u024f\u0400-\u052f\u0600-\u06ff\u0900-\u097f]/.test(text) ? 0.35 : 0;
}

/**
 * A rule that finds something only where no sentence reaches this is a remark. A match that is
 * spread over several sentences needs more support; the rules of the gravest attacks, which are the
 * most exact ones, need less. Chosen in the same way.
 */
export const plausible: Readonly<Record<Severity | 'spread', number>> = {
  low: -2,
  medium: -1.05,
  high: -1.05,
  critical: -1.8,
  spread: -0.8,
};
