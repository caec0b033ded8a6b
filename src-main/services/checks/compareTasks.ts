import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Comparison, ComparisonSide } from '../../../src-shared/domain/comparison.ts';
import type { Store } from '../../store/store.ts';
import { hasChanges } from '../results/toolDifferences.ts';
import { readTaskReport } from '../tasks/readTaskReport.ts';
import { findTaskEvaluation } from '../tasks/shownTaskEvaluation.ts';
import { compareReports, type ReportSide } from './compareReports.ts';
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
  const sides = request.candidates.map((side) => loadSide(store, side));
  const compared = compareReports(
    sides.map((after) => ({ before, after })),
    passedWhen,
  );
  const [first] = compared;
  if (first === undefined) throw new Error('A comparison has a candidate.');
  for (const [at, { baseline, candidate }] of compared.entries()) {
    const refuse = (cause: string, nextStep: string): ServiceError =>
      new ServiceError('INVALID', {
        thing: `Task evaluations #${baseline.number} and #${candidate.number}`,
        cause,
        nextStep,
      });
    const modes = [before.from.report.mode, sides[at]?.from.report.mode];
    if (modes[0] !== modes[1])
      throw refuse(
        `Their modes differ: ${modes.join(', ')}. Tools that answer differently can change how a task ends.`,
        'Compare evaluations of one mode.',
      );
    const users = [before.from.report.user, sides[at]?.from.report.user];
    if (users[0] !== users[1])
      throw refuse(
        `Their simulated users differ: ${users.map((user) => user ?? 'none').join(', ')}. Another user says other things.`,
        'Compare evaluations with the same simulated user.',
      );
    if (candidate.sharedCases + candidate.notScored.length === 0)
      throw refuse(
        candidate.changed.length > 0
          ? `All ${candidate.changed.length} shared tasks changed between them.`
          : 'They have no tasks in common.',
        'Compare evaluations of the same suite, or run one of them again.',
      );
    if (candidate.modelDiffers && hasChanges(candidate.tools))
      throw refuse(
        `Both the model (${baseline.model}, ${candidate.model}) and the tools differ, so the cause ` +
          'of a difference would be unclear.',
        'Compare evaluations that have the model or the tools in common.',
      );
  }
  return {
    passedWhen,
    baseline: first.baseline,
    candidates: compared.map(({ candidate }) => candidate),
  };
}

/** Throws NOT_FOUND for an evaluation that is gone, INVALID for cases, and for several models of which none is chosen. */
function loadSide(store: Store, { id, modelSettingsId }: ComparisonSide): ReportSide {
  const ofCases = store.evaluations.get(id);
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
