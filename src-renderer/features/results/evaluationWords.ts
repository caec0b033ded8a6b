import { termTexts } from '../../../src-shared/display/termTexts.ts';
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
  cancelled: { tone: 'stopped', label: 'Canceled' },
  interrupted: { tone: 'warning', label: 'Interrupted' },
};

export const classWords: Record<
  Classification,
  { outcome: ClassTone; word: string; meaning: string }
> = {
  TP: { outcome: 'tp', word: 'expected calls made', meaning: termTexts.tp.meaning },
  FN: { outcome: 'fn', word: 'missing or wrong call', meaning: termTexts.fn.meaning },
  FP: { outcome: 'fp', word: 'unneeded call', meaning: termTexts.fp.meaning },
  TN: { outcome: 'tn', word: 'no call, as expected', meaning: termTexts.tn.meaning },
};

export const methodWords: Record<ConfidenceMethod, string> = {
  logprobs: 'token probabilities',
  agreement: 'agreement between repetitions',
  self_report: 'reported by the model',
  margin: 'margin between the two best tools, or 1 without a call',
};

export const metricMeaning = {
  ...runMeanings,
  passRate: termTexts.passRate.meaning,
  precision: termTexts.precision.meaning,
  recall: termTexts.recall.meaning,
  f1: termTexts.f1.meaning,
  parameters: 'Of the expected arguments of correct calls, the share with the expected value.',
  latencyP50: 'Half of the scored runs took this long or less (nearest rank).',
  latencyP95: '95% of the scored runs took this long or less (nearest rank).',
  tokensIn: 'Input tokens of all runs that report them: prompt, query, and tool definitions.',
  tokensOut: 'Output tokens of all runs that report them.',
  cost: 'Cost of the tokens at the provider’s prices.',
  duration: 'From start to end of the evaluation, including listing the tools.',
  confidence: termTexts.confidence.meaning,
  completeness: 'Of the required parameters of matched calls, the share that was sent.',
  failed: termTexts.notScored.meaning,
} as const;
