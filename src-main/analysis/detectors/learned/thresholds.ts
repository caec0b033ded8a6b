import type { Severity } from '../../../../src-shared/domain/severity.ts';

/** A sentence with at least this score is reported. Chosen on the validation split. */
export const reported = -0.2;

/**
 * A rule that finds something only where no sentence reaches this is a remark. A match that is
 * spread over several sentences needs more support; the rules of the gravest attacks, which are the
 * most exact ones, need less. Chosen on the train and validation splits.
 */
export const plausible: Readonly<Record<Severity | 'spread', number>> = {
  low: -2,
  medium: -2,
  high: -2,
  critical: -2.6,
  spread: -1.2,
};
