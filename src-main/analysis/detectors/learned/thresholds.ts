import type { Severity } from '../../../../src-shared/domain/severity.ts';
import { places } from './places.ts';

/**
 * A sentence with at least this score is reported, by the kind of text that holds it: a sentence is
 * expected in a description, and rare in an enum, a default or a title. Chosen on the honest tools of servers that the weights had not seen
 * and on the attacks of the validation split.
 */
export const reportedIn: Readonly<Record<number, number>> = {
  [places.description]: -0.5,
  [places.value]: -1.5,
  [places.title]: -1.3,
  [places.instructions]: -0.5,
  [places.output]: -1.1,
  [places.parameter]: -0.7,
};

/**
 * Lower thresholds where the circumstances speak for themselves: an encoded sentence, or one that a
 * tool didn't have when it was listed before. Chosen on the train and validation splits.
 */
export const reportedWhere = { encoded: -1.6, new: -0.5 } as const;

/**
 * A long text has more sentences that can score high by chance, and few honest tools that are
 * written in Chinese or Japanese were known: both need more.
 */
export const raisedBy = (text: string): number =>
  (text.length > 2000 ? 0.4 : 0) + (/[\u3040-\u9fff]/.test(text) ? 0.5 : 0);

/**
 * A rule that finds something only where no sentence reaches this is a remark. A match that is
 * spread over several sentences needs more support; the rules of the gravest attacks, which are the
 * most exact ones, need less. Chosen on the train and validation splits.
 */
export const plausible: Readonly<Record<Severity | 'spread', number>> = {
  low: -2,
  medium: -1.7,
  high: -1.7,
  critical: -2.3,
  spread: -1.1,
};
