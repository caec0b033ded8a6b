import { runMeanings } from '../../../src-shared/domain/runMeanings.ts';
import type { RunStatus } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { ConfidenceMethod } from '../../../src-shared/domain/observation.ts';
import type { Classification, ParameterVerdict } from '../../../src-shared/domain/score.ts';
import type { Outcome } from '../../ui/badges/OutcomeMark.tsx';
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
  { outcome: Outcome; word: string; meaning: string }
> = {
  TP: {
    outcome: 'tp',
    word: 'right call',
    meaning: 'True positive: every expected call was made, and nothing beside it.',
  },
  FN: {
    outcome: 'fn',
    word: 'missed or wrong call',
    meaning:
      'False negative: a call was expected, and it was missing, of another tool, or not the ' +
      'only one.',
  },
  FP: {
    outcome: 'fp',
    word: 'called where none was due',
    meaning: 'False positive: no call was expected, and one was made.',
  },
  TN: {
    outcome: 'tn',
    word: 'rightly called nothing',
    meaning: 'True negative: no call was expected, and none was made.',
  },
};

/** The word in place of a class for a run that has none. */
export function statusWord(status: RunStatus): string {
  if (status === 'failed') return 'not scored';
  return status === 'running' ? 'running' : 'not run yet';
}

export const methodWords: Record<ConfidenceMethod, string> = {
  logprobs: 'token probabilities',
  agreement: 'agreement of repetitions',
  self_report: 'the model’s own word',
  margin: 'margin between the two best tools; 1 where it calls none',
};

type Verdict = ParameterVerdict['verdict'];
export const verdictWords: Record<Verdict, { tone: StatusTone; label: string }> = {
  matched: { tone: 'good', label: 'Matches' },
  wrong_value: { tone: 'bad', label: 'Wrong value' },
  missing: { tone: 'bad', label: 'Missing' },
  unexpected: { tone: 'bad', label: 'Unexpected' },
  hallucinated: { tone: 'bad', label: 'Invented' },
  ignored: { tone: 'idle', label: 'Ignored' },
  not_scored: { tone: 'idle', label: 'Not scored' },
  unreadable: { tone: 'warning', label: 'Unreadable' },
};

/** Definitions of the metrics, shown on hover and focus. */
export const metricMeaning = {
  ...runMeanings,
  precision:
    'Of all calls made, the share that was the expected tool: right calls ÷ calls made. ' +
    'Counted by call, over all servers.',
  recall:
    'Of all calls expected, the share that was made: right calls ÷ calls expected. Counted ' +
    'by call.',
  f1: 'The harmonic mean of precision and recall: 2 · right ÷ (calls made + calls expected).',
  parameters: 'Of all expected parameters of right calls (TP), the share with the expected value.',
  latencyP50: 'Half of the scored runs took no longer than this (nearest rank).',
  latencyP95: '95 of 100 scored runs took no longer than this (nearest rank).',
  tokensIn:
    'Tokens that went to the model, over all runs that tell: prompt, query and tool definitions.',
  tokensOut: 'Tokens that came back from the model, over all runs that tell.',
  cost: 'What the tokens cost at the provider’s prices.',
  duration:
    'From the start of the evaluation to its end, with the time that the servers took to ' +
    'list their tools.',
  confidence:
    'How sure the model was of its choice, from 0 to 1. In brackets, how that was measured.',
  completeness: 'Of the required parameters of matched calls, the share that was sent.',
  failed:
    'Runs in trouble: a server, the model’s service or the reply failed. They are not scored ' +
    'and are in no other number.',
} as const;
