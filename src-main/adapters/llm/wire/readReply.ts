import type { Confidence, Observation } from '../../../../src-shared/domain/observation.ts';

/** What one answer said, as far as its text tells. */
export type ReadReply = Pick<
  Observation,
  'calls' | 'text' | 'reasoning' | 'stopReason' | 'usage'
> & {
  confidence?: Confidence | null;
  /** Wire names that a tool search of the provider's brought up. */
  loaded?: readonly string[];
};
