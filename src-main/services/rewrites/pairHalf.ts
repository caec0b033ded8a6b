import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import type { ProofCounts } from '../../../src-shared/metrics/rewriteProof.ts';
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

/**
 * Pairs the cases of a half with their repetition; the n-th repeated case is the n-th of
 * `positions`. Outcomes follow the rule of the evaluation. Ties and unscored cases on either side
 * are counted and left out. Also counts the calls expected of other tools, before and after, to
 * detect a rewrite that takes calls away from them.
 */
export function pairHalf(
  store: Store,
  base: EvaluationRow,
  repeated: EvaluationRow,
  models: { base: string; repeated: string },
  toolId: string,
): ProofCounts & { notScored: number; passedBefore: number } {
  const positions = repeated.settings.whatIf?.positions ?? [];
  const rule = base.settings.passedWhen;
  const before = caseOutcomes(store, base.id, models.base, rule);
  const after = caseOutcomes(store, repeated.id, models.repeated, rule);
  // A row of alternatives is a tool of its own here, unless the rewritten tool is among them.
  const isOther = (label: string): boolean =>
    isToolLabel(label) && !toolsOfLabel(label).includes(toolId);
  const expected = new Map<number, Set<string>>();
  const calls = { expected: 0, before: 0, after: 0 };
  const indexByPosition = new Map(positions.map((position, place) => [position, place]));
  const compared = new Set<number>();
  let [won, lost, notScored, passedBefore] = [0, 0, 0, 0];
  const others = new Map<string, { won: number; lost: number }>();
  for (const { position, expected: label } of store.toolConfusions.units(base.id, models.base)) {
    if (isOther(label))
      expected.set(position, (expected.get(position) ?? new Set<string>()).add(label));
  }
  positions.forEach((position, place) => {
    const [old, now] = [before.get(position), after.get(place)];
    if ((old !== 'passed' && old !== 'failed') || (now !== 'passed' && now !== 'failed')) {
      notScored += 1;
      return;
    }
    compared.add(position);
    if (old === 'passed') passedBefore += 1;
    const flip = old === now ? null : now === 'passed' ? 'won' : 'lost';
    if (flip === 'won') won += 1;
    if (flip === 'lost') lost += 1;
    for (const other of expected.get(position) ?? []) {
      const counts = others.get(other) ?? { won: 0, lost: 0 };
      if (flip !== null) counts[flip] += 1;
      others.set(other, counts);
    }
  });
  // Calls expected of other tools show whether the rewrite takes calls away from them.
  for (const unit of store.toolConfusions.units(base.id, models.base)) {
    if (
      !compared.has(unit.position) ||
      !indexByPosition.has(unit.position) ||
      !isOther(unit.expected)
    )
      continue;
    calls.expected += 1;
    if (isCorrectUnit(unit)) calls.before += 1;
  }
  for (const unit of store.toolConfusions.units(repeated.id, models.repeated)) {
    if (
      compared.has(positions[unit.position] ?? -1) &&
      isOther(unit.expected) &&
      isCorrectUnit(unit)
    )
      calls.after += 1;
  }
  return {
    won,
    lost,
    cases: compared.size,
    notScored,
    passedBefore,
    others: [...others].map(([id, counts]) => ({ toolId: id, ...counts })),
    otherCalls: calls,
  };
}
