import type { Severity } from '../../../../src-shared/domain/severity.ts';

/**
 * A sentence with at least this score is reported. Chosen with weights that had not seen the author
 * or the server (`scripts/attacks/crossValidate.ts author`), then raised until LiveMCPBench has false
 * alarms on 1% of its tools at most.
 */
export const reportedFrom = -0.58;

/**
 * Lower thresholds where the circumstances speak for themselves: an encoded sentence, one in a
 * comment that people don't see, or one that a tool didn't have when it was listed before. Chosen
 * with earlier weights.
 */
export const reportedWhere = { encoded: -2.1, commented: -1.9, new: -0.5 } as const;

/** Sentences of a usual text; a longer one has more of them that can score high by chance. */
const usualSentences = 3;
/**
 * By how much honest sentences exceed a high score on average. Their scores fall off exponentially,
 * so the threshold has to grow by this much for each factor e in the number of sentences if the
 * chance of a false alarm is to stay the same.
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
  low: -2,
  medium: -0.95,
  high: -0.95,
  critical: -1.8,
  spread: -0.7,
};
