import { runMeanings } from '../../../src-shared/domain/runMeanings.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { ConfidenceMethod } from '../../../src-shared/domain/observation.ts';
import type { Classification } from '../../../src-shared/domain/score.ts';
import type { ClassTone } from '../../ui/badges/ClassMark.tsx';
import type { StatusTone } from '../../ui/badges/StatusBadge.tsx';

export const stateWords: Record<EvaluationState, { tone: StatusTone; label: string }> = {
  planned: { tone: 'busy', label: 'Starting' },
  running: { tone: 'busy', label: 'Running' },
  completed: { tone: 'good', label: 'Completed' },
  incomplete: { tone: 'warning', label: 'Incomplete' },
  cancelled: { tone: 'stopped', label: 'Cancelled' },
  interrupted: { tone: 'warning', label: 'Interrupted' },
};

export const classWords: Record<
  Classification,
  { outcome: ClassTone; word: string; meaning: string }
> = {
  TP: {
    outcome: 'tp',
    word: 'expected calls made',
    meaning: 'True positive: every expected call was made, and no other call.',
  },
  FN: {
    outcome: 'fn',
    word: 'missing or wrong call',
    meaning:
      'False negative: a call was expected, but it was missing, went to another tool, or was not ' +
      'the only call.',
  },
  FP: {
    outcome: 'fp',
    word: 'unneeded call',
    meaning: 'False positive: no call was expected, but one was made.',
  },
  TN: {
    outcome: 'tn',
    word: 'no call, as expected',
    meaning: 'True negative: no call was expected, and none was made.',
  },
};

export const methodWords: Record<ConfidenceMethod, string> = {
  logprobs: 'token probabilities',
  agreement: 'agreement between repetitions',
  self_report: 'reported by the model',
  margin: 'margin between the two best tools, or 1 without a call',
};

/** Definitions of the metrics, shown on hover and focus. */
export const metricMeaning = {
  ...runMeanings,
  passRate:
    'The share of scored runs that passed: exactly the expected calls, each with complete, correct ' +
    'and valid arguments. Where no tool was expected, none was called.',
  precision:
    'Of all calls made, the share that was the expected tool: correct calls ÷ calls made. ' +
    'Counted by call, over all servers.',
  recall:
    'Of all calls expected, the share that was made: correct calls ÷ calls expected. Counted ' +
    'by call.',
  f1: 'The harmonic mean of precision and recall: 2 · correct calls ÷ (calls made + calls expected).',
  parameters: 'Of all expected arguments of correct calls (TP), the share with the expected value.',
  latencyP50: 'Half of the scored runs took no longer than this (nearest rank).',
  latencyP95: '95 of 100 scored runs took no longer than this (nearest rank).',
  tokensIn:
    'Tokens that went to the model, over all runs that report them: prompt, query and tool definitions.',
  tokensOut: 'Tokens that came back from the model, over all runs that report them.',
  cost: 'What the tokens cost at the provider’s prices.',
  duration:
    'From the start of the evaluation to its end, with the time that the servers took to ' +
    'list their tools.',
  confidence: 'How sure the model was of its choice, from 0 to 1, with the method of measurement.',
  completeness: 'Of the required parameters of matched calls, the share that was sent.',
  failed:
    'Runs with an error: a server, the provider or the reply failed. They are not scored ' +
    'and are in no other number.',
} as const;
