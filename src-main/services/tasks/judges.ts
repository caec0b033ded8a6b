import { firstPromptVersion, judgesOf } from '../../../src-shared/domain/judges.ts';
import type { Price } from '../../../src-shared/domain/price.ts';
import type { TaskEvaluationSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import type { AgreementCounts } from '../../../src-shared/metrics/cohensKappa.ts';
import type { Store } from '../../store/store.ts';
import { judgePrompt } from './judgePrompt.ts';

/** What each judge costs, as the start fixed it. */
export const judgePrices = (terms: TaskEvaluationSettings['judgeTerms']): (Price | null)[] => [
  terms?.price ?? null,
  ...(terms?.morePrices ?? []),
];

/**
 * How people agree with these judges, which decide together, about the runs of a suite. Verdicts of
 * other judges, or that were asked for with another prompt, are not theirs.
 */
export const agreementOf = (
  store: Store,
  suiteName: string,
  settings: Pick<TaskEvaluationSettings, 'judge' | 'moreJudges'>,
  prompt = judgePrompt.version,
): AgreementCounts =>
  store.labels.agreement(suiteName, {
    models: judgesOf(settings).map(({ model }) => model),
    ...{ prompt, firstPrompt: firstPromptVersion },
  });
