import type { Severity } from '../../../../src-shared/domain/severity.ts';
import { places } from './places.ts';

/**
 * A sentence with at least this score is reported, by the kind of text that holds it: a sentence is
 * expected in a description, and rare in an enum, a default or a title. Chosen with weights that had
 * not seen the server or the pattern (`scripts/attacks/crossValidate.ts fold`): 4% of hard negatives
 * and less than 0.7% of honest tools reach them.
 */
export const reportedIn: Readonly<Record<number, number>> = {
  [places.description]: -0.75,
  [places.value]: -0.8,
  [places.title]: -0.6,
  [places.instructions]: -0.75,
  [places.output]: -0.65,
  [places.parameter]: -0.6,
};

/**
 * Lower thresholds where the circumstances speak for themselves: an encoded sentence, or one that a
 * tool didn't have when it was listed before. Chosen on the train and validation splits.
 */
export const reportedWhere = { encoded: -1.6, new: -0.5 } as const;

/** Sentences of a usual text; a longer one has more of them that can score high by chance. */
const usualSentences = 8;
/**
 * By how much honest sentences exceed a high score on average. Their scores fall off exponentially,
 * so the threshold has to grow by this much for each factor e in the number of sentences if the
 * chance of a false alarm is to stay the same.
 */
const meanExcess = 0.45;

/** Few honest tools that are written in Chinese or Japanese were known: their texts need more, too. */
export const raisedBy = (text: string, sentences: number): number =>
  meanExcess * Math.log(Math.max(1, sentences / usualSentences)) +
  (/[\u3040-\u9fff]/.test(text) ? 0.5 : 0);

/**
 * A rule that finds something only where no sentence reaches this is a remark. A match that is
 * spread over several sentences needs more support; the rules of the gravest attacks, which are the
 * most exact ones, need less. Chosen on the train and validation splits.
 */
export const plausible: Readonly<Record<Severity | 'spread', number>> = {
  low: -2,
  medium: -1.4,
  high: -1.4,
  critical: -2.3,
  spread: -0.8,
};
