import type { JsonValue } from '../../src-shared/domain/json.ts';
import type { ActualCall, Confidence } from '../../src-shared/domain/observation.ts';
import type { Expectation } from '../../src-shared/domain/testCase.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';

/** A tool that the model saw, with the ID that scores use. */
export type OfferedTool = Tool & { toolId: string };

/**
 * Ground truth in the format of the Berkeley Function-Calling Leaderboard: per call, function name
 * → parameter → accepted values.
 */
export type AcceptableCall = Record<string, Record<string, JsonValue[]>>;

/** Everything that the score of one run depends on. */
export interface ScoreInput {
  expectation: Expectation;
  query: string;
  calls: readonly ActualCall[];
  /** The offered tools; a call to anything else is a phantom. */
  tools: readonly OfferedTool[];
  confidence: Confidence | null;
  /** A confidence at or above this is high. */
  highConfidence: number;
  /** The model's own explanation of its choice, if it gave one. */
  modelReasoning: string | null;
  /**
   * One entry per expected call, in order. It replaces the call's parameters and how they are
   * compared.
   */
  acceptable?: readonly AcceptableCall[];
}
