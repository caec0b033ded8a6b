import type { Severity } from '../../../../src-shared/domain/severity.ts';

/**
 * A sentence with at least this score is reported. Chosen with weights that had not seen the author
 * or the server (`research/attacks/crossValidate.ts author`, and the servers of `real_tools_v3`
 * left out together).
 */
export const reportedFrom = -0.7;

/**
 * Lower thresholds where the circumstances speak for themselves: an encoded sentence, one in a
 * comment that people don't see, or one that a tool didn't have when it was listed before. Chosen
 * with earlier weights.
 */
export const reportedWhere = { encoded: -2.1, commented: -1.9, new: -0.5 } as const;

/** Sentences of a usual text; a longer one has more of them that can score high by chance. */
const usualSentences = 3;
/**
 * The scores of honest sentences fall off exponentially: those that exceed a high score exceed it by
 * 0.65 on average. So the threshold has to grow by this much for each factor e in the number of
 * sentences if the chance of a false alarm is to stay the same; by more, because long texts are also
 * the ones that instruct a model most.
 */
const meanExcess = 1;

export const raisedBy = (sentences: number): number =>
  meanExcess * Math.log(Math.max(1, sentences / usualSentences));

/**
 * A rule that finds something only where no sentence reaches this is a remark. A match that is
 * spread over several sentences needs more support; the rules of the gravest attacks, which are the
 * most exact ones, need less.
 */
export const plausible: Readonly<Record<Severity | 'spread', number>> = {
  low: -2.5,
  medium: -1.6,
  high: -1.6,
  critical: -3,
  spread: -1.3,
};
