import type { Confidence, Observation } from '../../../../src-shared/domain/observation.ts';

/** What was read from one answer. */
export type ReadReply = Pick<
  Observation,
  'calls' | 'text' | 'reasoning' | 'stopReason' | 'usage'
> & {
  confidence?: Confidence | null;
  /** Wire names of the tools that the provider's tool search loaded. */
  loaded?: readonly string[];
};
