import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';

/** Where the result of an evaluation of cases or tasks is shown. */
export const evaluationLink = (unit: EvaluationUnit, id: string): string =>
  unit === 'task' ? `/evaluations/tasks/${id}` : `/evaluations/${id}`;

/** What it is called in a sentence. */
export const evaluationNoun: Readonly<Record<EvaluationUnit, string>> = {
  case: 'evaluation',
  task: 'task evaluation',
};
