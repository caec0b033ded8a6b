import { toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { halfOf } from '../../../src-shared/metrics/rewriteProof.ts';
import { caseOutcome } from '../../../src-shared/metrics/pairing.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';

/** A scored case of one half. */
export interface HalfCase {
  /** Its position in the evaluation that is repeated. */
  position: number;
  wrong: boolean;
  /** Labels that were expected. */
  expected: ReadonlySet<string>;
  /** Labels that were expected or selected. */
  toolLabels: ReadonlySet<string>;
}

/** Whether a tool is one of some labels, alone or in a row of alternatives. */
export function concerns(labels: ReadonlySet<string>, toolId: string): boolean {
  return labels.has(toolId) || [...labels].some((label) => toolsOfLabel(label).includes(toolId));
}

/** The outcome of each case of an evaluation, by position. */
export function caseOutcomes(
  store: Store,
  evaluationId: string,
  modelSettingsId: string,
  passedWhen: PassedWhen,
): Map<number, ReturnType<typeof caseOutcome>> {
  return new Map(
    store.resultQueries
      .tallies(evaluationId, modelSettingsId, passedWhen)
      .map(({ position, right, scored }) => [position, caseOutcome(right, scored)]),
  );
}

/** The scored cases of one half with their outcomes in the evaluation, in order. */
export function readHalf(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string,
  half: 'search' | 'proof',
): HalfCase[] {
  const outcomes = caseOutcomes(
    store,
    evaluation.id,
    modelSettingsId,
    evaluation.settings.passedWhen,
  );
  const expectedLabels = new Map<number, Set<string>>();
  const toolLabels = new Map<number, Set<string>>();
  for (const { position, expected, selected } of store.toolConfusions.units(
    evaluation.id,
    modelSettingsId,
  )) {
    expectedLabels.set(position, (expectedLabels.get(position) ?? new Set<string>()).add(expected));
    const labels = toolLabels.get(position) ?? new Set<string>();
    toolLabels.set(position, labels.add(expected).add(selected));
  }
  return store.resultQueries
    .cases(evaluation.id)
    .filter((testCase) => halfOf(testCase.caseKey ?? testCase.testCaseId) === half)
    .flatMap(({ position }) => {
      const side = outcomes.get(position);
      return side === 'passed' || side === 'failed'
        ? [
            {
              position,
              wrong: side === 'failed',
              expected: expectedLabels.get(position) ?? new Set<string>(),
              toolLabels: toolLabels.get(position) ?? new Set<string>(),
            },
          ]
        : [];
    });
}
