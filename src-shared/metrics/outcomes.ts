import type { FailureKind, RunStatus } from '../domain/evaluation.ts';
import { isCorrectUnit, NO_TOOL, PHANTOM } from '../domain/labels.ts';
import {
  outcomes,
  type FailureCause,
  type FailureOutcome,
  type Outcome,
  type OutcomeCounts,
} from '../domain/outcome.ts';
import type { Classification, ConfusionUnit } from '../domain/score.ts';

/** What decides the outcome of a run: its class, whether it passed, and its units in order. */
export interface OutcomeFacts {
  classification: Classification;
  passed: boolean | null;
  units: readonly ConfusionUnit[];
}

/** The first unit that is wrong: what the model did instead of what was expected. */
function firstFault(units: readonly ConfusionUnit[]): ConfusionUnit | null {
  return (
    units.find(({ expected, selected }) => {
      const declined = expected === NO_TOOL && selected === NO_TOOL;
      return !declined && !isCorrectUnit({ expected, selected });
    }) ?? null
  );
}

function outcomeOfFault({ expected, selected }: ConfusionUnit, someMade: boolean): FailureOutcome {
  if (selected === PHANTOM) return 'made_up_tool';
  if (expected === NO_TOOL) return 'unneeded_call';
  if (selected !== NO_TOOL) return 'wrong_tool';
  return someMade ? 'missing_call' : 'no_tool_called';
}

/**
 * The cause of a failed run (docs/rules.md §3, Outcomes): its first wrong unit, or its first call
 * if only the arguments are wrong. Null if the run passed or its arguments are undecided.
 */
export function causeOf({ passed, units }: OutcomeFacts): FailureCause | null {
  if (passed !== false) return null;
  const fault = firstFault(units);
  if (fault) {
    const someMade = units.some(({ selected }) => selected !== NO_TOOL);
    return {
      outcome: outcomeOfFault(fault, someMade),
      expected: fault.expected,
      called: fault.selected,
    };
  }
  const [first] = units;
  return {
    outcome: 'wrong_arguments',
    expected: first?.expected ?? NO_TOOL,
    called: first?.selected ?? NO_TOOL,
  };
}

/**
 * The outcome of a scored run. `not_scored` if the schema could not decide whether its arguments
 * are valid: it is then in no pass rate.
 */
export function outcomeOf(facts: OutcomeFacts): Outcome {
  if (facts.passed === true) return 'passed';
  return causeOf(facts)?.outcome ?? 'not_scored';
}

/** The outcome of any run, also of one that has not ended or was in trouble. */
export function outcomeOfRun(run: {
  status: RunStatus;
  failure: FailureKind | null;
  classification: Classification | null;
  passed: boolean | null;
  units: readonly ConfusionUnit[];
}): Outcome {
  if (run.status === 'failed')
    return run.failure === 'cancelled' || run.failure === 'interrupted' ? 'not_run' : 'not_scored';
  if (run.status !== 'completed' || run.classification === null) return 'not_run';
  return outcomeOf({ ...run, classification: run.classification });
}

export function emptyOutcomeCounts(): OutcomeCounts {
  return Object.fromEntries(outcomes.map((each) => [each, 0])) as OutcomeCounts;
}
