import type { Confidence, Observation } from '../../../../src-shared/domain/observation.ts';

export type ReadReply = Pick<
  Observation,
  'calls' | 'text' | 'reasoning' | 'stopReason' | 'usage'
> & {
  confidence?: Confidence | null;
  /** Wire names of the tools that the provider's tool search loaded. */
  loaded?: readonly string[];
};
