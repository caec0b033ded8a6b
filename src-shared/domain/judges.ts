import type { ModelConfiguration } from './model.ts';
import { modelLabel } from './provider.ts';
import type { TaskEvaluationSettings } from './taskEvaluation.ts';

type JudgeSettings = Pick<TaskEvaluationSettings, 'judge' | 'moreJudges'>;

/** The version of the prompt of evaluations that don't say theirs: there was one before versions. */
export const firstPromptVersion = '2c16e63c';

/** All models that judge checks ask; none without a first one. */
export const judgesOf = ({ judge, moreJudges }: JudgeSettings): ModelConfiguration[] =>
  judge === null ? [] : [judge, ...moreJudges];

/** The first judge that is named twice, with the same address; null if none is. */
export const repeatedJudge = (settings: JudgeSettings): ModelConfiguration | null =>
  judgesOf(settings).find((judge, at, all) =>
    all
      .slice(0, at)
      .some(
        ({ provider, model, baseUrl }) =>
          provider === judge.provider && model === judge.model && baseUrl === judge.baseUrl,
      ),
  ) ?? null;

/** All judges by name: `a`, or `a, b, c`. */
export const judgeLabels = (settings: JudgeSettings): string =>
  judgesOf(settings).map(modelLabel).join(', ');

/** The version of the prompt that the judges of an evaluation were asked with. */
export const promptVersionOf = ({
  judgeTerms,
}: Pick<TaskEvaluationSettings, 'judgeTerms'>): string => judgeTerms?.prompt ?? firstPromptVersion;
