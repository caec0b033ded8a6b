import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Comparison, ComparisonSide } from '../../../src-shared/domain/comparison.ts';
import type { Store } from '../../store/store.ts';
import { readTaskReport } from '../tasks/readTaskReport.ts';
import { pairObstacle } from '../results/pairObstacle.ts';
import { findTaskEvaluation } from '../tasks/shownTaskEvaluation.ts';
import { compareReports, termsOf, type ReportSide } from './compareReports.ts';
import { namedTasksReport } from './namedTasksReport.ts';

/**
 * Compares task evaluations of the workspace over the tasks that they share unchanged, as
 * `compareEvaluations` does with cases: a task passes when it succeeds. Throws INVALID when a pair
 * of sides can't be compared.
 */
export function compareTasks(
  store: Store,
  request: { baseline: ComparisonSide; candidates: readonly ComparisonSide[] },
): Comparison {
  const passedWhen = 'selection_and_parameters';
  const before = loadSide(store, request.baseline);
  const pairs = request.candidates.map((side) => ({ before, after: loadSide(store, side) }));
  const compared = compareReports(pairs, passedWhen);
  const [first] = compared;
  if (first === undefined) throw new Error('A comparison has a candidate.');
  for (const [at, pair] of pairs.entries()) {
    const comparison = compared[at] ?? first;
    const whatIf = store.evaluations.get('task', comparison.candidate.evaluationId)?.settings
      .whatIf;
    const isOwnWhatIf = whatIf?.baseId === comparison.baseline.evaluationId;
    const obstacle = pairObstacle(
      termsOf(pair.before),
      termsOf(pair.after),
      comparison,
      passedWhen,
      isOwnWhatIf,
    );
    if (obstacle !== null)
      throw new ServiceError('INVALID', {
        thing: `Task evaluations #${comparison.baseline.number} and #${comparison.candidate.number}`,
        ...obstacle,
      });
  }
  return {
    passedWhen,
    baseline: first.baseline,
    candidates: compared.map(({ candidate }) => candidate),
  };
}

/** Throws NOT_FOUND for an evaluation that is gone, INVALID for cases, and for several models of which none is chosen. */
function loadSide(store: Store, { id, modelSettingsId }: ComparisonSide): ReportSide {
  const ofCases = store.evaluations.get('case', id);
  if (ofCases !== null)
    throw new ServiceError('INVALID', {
      thing: `Evaluation #${ofCases.number}`,
      cause: 'It ran cases, and the other one tasks.',
      nextStep: 'Compare evaluations of one kind.',
    });
  const from = namedTasksReport(readTaskReport(store, findTaskEvaluation(store, id)));
  const { models, number } = from.report;
  const model =
    modelSettingsId === null && models.length === 1
      ? models[0]
      : models.find((each) => each.id === modelSettingsId);
  if (model === undefined)
    throw new ServiceError('INVALID', {
      thing: `Task evaluation #${number}`,
      cause: `It has ${models.length} models, and their runs can't be taken together in a comparison.`,
      nextStep: 'Choose one of its models.',
    });
  return { from, model };
}
