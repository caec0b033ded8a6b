/** The types of `touchstone/scoring`, without those of the program's own modules. */

/** A tool by name. The server may be left out where only one has it. */
export interface ToolReference {
  server?: string;
  name: string;
}

/** A tool as `tools/list` of its server returns it, or as a tools file has it. */
export interface RecordedTool {
  name?: string;
  server?: string;
  title?: string | null;
  description?: string | null;
  inputSchema?: object;
  /** As tools files write it. */
  input_schema?: object;
  /** As corpora write it. */
  schema?: object;
  /** As corpora write the name. */
  tool?: string;
  [other: string]: unknown;
}

/**
 * Expected arguments, as an object or its JSON text. An object whose names all begin with $ is a
 * matcher. Left out: the schema of the tool alone decides.
 */
export type ExpectedArguments = object | string;

/**
 * A call that is right, or one for which several are equally right: each with its own arguments, or
 * with those of all.
 */
export type ExpectedToolCall = (
  ToolReference | { any_of: (ToolReference & { arguments?: ExpectedArguments })[] }
) & { arguments?: ExpectedArguments };

export interface RecordedCall extends ToolReference {
  /** An object, or its JSON text, as Chat Completions have it. */
  arguments?: unknown;
}

/** Whether arguments that a call doesn't list are wrong: `exact`, or fine: `at-least`. */
export type ArgumentsMode = 'exact' | 'at-least';

/** Whose rules decide whether a line passed: those of docs/rules.md, or those of the leaderboard. */
export type RuleSet = 'touchstone' | 'bfcl';

/** What a model was offered and did. */
export interface RecordedRun {
  tools: readonly RecordedTool[];
  actual_calls: readonly RecordedCall[];
  /** What the user asked for. Default: empty. */
  query?: string;
  /** The text of the answer, and how it ended: what makes a run not scorable. */
  text?: string | null;
  finish_reason?: unknown;
}

/** What is right for a run. */
export interface RecordedExpectation {
  /** Empty: no tool should be called. */
  expected_calls: readonly ExpectedToolCall[];
  /** Tools whose calls are ignored. */
  allowed_calls?: readonly ToolReference[];
  /** Default: false. */
  order_dependent?: boolean;
  arguments_mode?: ArgumentsMode;
}

/** One exchange: an input line of `touchstone score`. */
export interface RecordedExchange extends RecordedRun, RecordedExpectation {
  id: string | number;
  /** Ground truth of the Berkeley Function-Calling Leaderboard, per expected call. */
  acceptable?: readonly Record<string, Record<string, readonly unknown[]>>[];
}

/** One line that `touchstone score` writes. Null: not scored, which is neither passed nor failed. */
export interface RecordedScore {
  id: string;
  classification: 'TP' | 'FP' | 'TN' | 'FN' | null;
  tool_selection_correct: boolean | null;
  /** Rates from 0 to 1. */
  parameter_completeness: number | null;
  parameter_correctness: number | null;
  parameter_type_conformance: boolean | null;
  hallucinated_parameters: string[] | null;
  missing_parameters: string[];
  passed: boolean | null;
  /** Why there is no score. */
  not_scored?: string;
  /** Whether the leaderboard's rules accept it, where there is `acceptable`. */
  accepted?: boolean | null;
  parameters: {
    name: string;
    expected: unknown;
    actual: unknown;
    verdict: string;
    reason: string;
  }[];
  matches: {
    expected_index: number | null;
    actual_index: number | null;
    tool_id: string | null;
    allowed: boolean;
  }[];
  call_notes?: string[];
}
