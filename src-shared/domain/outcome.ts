// No schemas here: the first screen needs these names, and must not load the schema library.

/**
 * What became of a run, in the words that a person reads first. Every run has exactly one outcome,
 * and only `passed` is a success (docs/rules.md §3, Outcomes).
 */
export const outcomes = [
  'passed',
  'wrong_tool', // another offered tool was called
  'no_tool_called', // a call was expected and none was made
  'missing_call', // several calls were expected and only some were made
  'wrong_arguments', // the right tool with wrong, missing or made-up arguments
  'unneeded_call', // a call that nobody asked for
  'made_up_tool', // a tool that was never offered
  'not_scored', // trouble, or a schema that cannot decide: never an answer
  'not_run', // not started, canceled or interrupted
] as const;
export type Outcome = (typeof outcomes)[number];

/** The outcomes of a scored run that did not pass, in the order in which they are listed. */
export const failureOutcomes = [
  'wrong_tool',
  'no_tool_called',
  'missing_call',
  'wrong_arguments',
  'unneeded_call',
  'made_up_tool',
] as const satisfies readonly Outcome[];
export type FailureOutcome = (typeof failureOutcomes)[number];

export function isFailure(outcome: Outcome): outcome is FailureOutcome {
  return failureOutcomes.some((failure) => failure === outcome);
}

export type OutcomeCounts = Record<Outcome, number>;

/**
 * What a failed run got wrong first: the tool that was expected and the one that was called. The
 * labels are those of the confusion matrix; failures with the same cause are shown as one group.
 */
export interface FailureCause {
  outcome: FailureOutcome;
  expected: string;
  called: string;
}
