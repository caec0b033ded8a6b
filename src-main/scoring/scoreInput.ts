import type { JsonValue } from '../../src-shared/domain/json.ts';
import type { ActualCall, Confidence } from '../../src-shared/domain/observation.ts';
import type { Expectation } from '../../src-shared/domain/testCase.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';

/** A tool that the model saw, under the id that scores speak of. */
export type OfferedTool = Tool & { toolId: string };

/**
 * Ground truth in the form of the Berkeley Function-Calling Leaderboard: per call, function name →
 * parameter → accepted values.
 */
export type AcceptableCall = Record<string, Record<string, JsonValue[]>>;

/** Everything that the score of one run depends on. */
export interface ScoreInput {
  expectation: Expectation;
  query: string;
  calls: readonly ActualCall[];
  /** The tools that were offered; a call to anything else is a phantom. */
  tools: readonly OfferedTool[];
  confidence: Confidence | null;
  /** At or above this a confidence is high. */
  highConfidence: number;
  /** The model's own words about its choice, where it gave them. */
  modelReasoning: string | null;
  /**
   * One entry per expected call, in order; replaces its parameters and the way in which they are
   * compared.
   */
  acceptable?: readonly AcceptableCall[];
}
