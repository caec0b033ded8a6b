import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  Comparison,
  ComparisonSide,
  PassedWhen,
} from '../../../src-shared/domain/comparison.ts';
import type { CaseTally, PlacedCase } from '../../store/runs/resultQueries.ts';
import type { Store } from '../../store/store.ts';
import { questionKey } from '../evaluations/whatIf/renamedTools.ts';
import { modelsDiffer, loadSide, type LoadedSide } from './comparedSide.ts';
import {
  answerCandidates,
  sortPairs,
  type ComparableSide,
  type SortedPairs,
} from './comparePairs.ts';
import { differingConditions } from '../runs/conditions.ts';
import { pairCases } from './pairCases.ts';
import { pairObstacle } from './pairObstacle.ts';
import { createQuestionReader, questionOf } from '../evaluations/read/questionOf.ts';
import { toolDifferences } from './toolDifferences.ts';

export interface CompareRequest {
  baseline: ComparisonSide;
  candidates: readonly ComparisonSide[];
  passedWhen: PassedWhen | null;
}

/**
 * Compares evaluations with a baseline over the cases that both share unchanged (docs/rules.md §3,
 * Comparisons). Throws INVALID when a pair of sides can't be compared.
 */
export function compareEvaluations(store: Store, request: CompareRequest): Comparison {
  const before = loadSide(store, request.baseline);
  const passedWhen = request.passedWhen ?? 'selection_and_parameters';
  const sides = request.candidates.map((candidate) => loadSide(store, candidate));
  const compared = answerCandidates(
    sides.map((side) => pairSides(store, before, side, passedWhen)),
  );
  return {
    passedWhen,
    baseline: before.shown,
    candidates: compared.flatMap((candidate, at) => {
      const side = sides[at];
      if (side === undefined) return [];
      const whole = {
        ...candidate,
        tools: toolDifferences(store, before.evaluation.snapshotId, side.evaluation.snapshotId),
        modelDiffers: modelsDiffer(before.model, side.model),
        conditions: differingConditions(before.conditions, side.conditions),
      };
      const comparison = { baseline: before.shown, candidate: whole };
      const obstacle = pairObstacle(before, side, comparison, passedWhen);
      if (obstacle !== null)
        throw new ServiceError('INVALID', {
          thing: `Evaluations #${before.evaluation.number} and #${side.evaluation.number}`,
          ...obstacle,
        });
      return [whole];
    }),
  };
}

/** Pairs the cases of two sides and sorts them into lists. */
function pairSides(
  store: Store,
  before: LoadedSide,
  after: LoadedSide,
  when: PassedWhen,
): SortedPairs {
  // Each side may be a what-if with its own renamed tools. Without any, the texts of cases are
  // compared directly.
  const renamed = (side: LoadedSide) =>
    side.evaluation.settings.whatIf?.changes.some(({ kind }) => kind === 'rename') ?? false;
  const restored = renamed(before) || renamed(after);
  const questionOfAfter = restored
    ? questionKey(after.evaluation.settings.whatIf, before.evaluation.settings.whatIf)
    : questionOf;
  const readQuestion = createQuestionReader(store);
  const pairs = pairCases(
    store.resultQueries.cases(before.evaluation.id),
    store.resultQueries.cases(after.evaluation.id),
    {
      before: ({ hash }) => readQuestion(hash, questionOf),
      after: ({ hash }) => readQuestion(hash, questionOfAfter),
      same: (a, b) => a.hash === b.hash && !restored,
    },
  );
  return sortPairs(comparableSide(store, before, when), comparableSide(store, after, when), pairs);
}

const unscored = { right: 0, scored: 0 };

/** A stored evaluation as one side of a comparison. */
function comparableSide(
  store: Store,
  { evaluation, model, shown }: LoadedSide,
  when: PassedWhen,
): ComparableSide<PlacedCase> {
  const { resultQueries } = store;
  const tallies = new Map<number, CaseTally>(
    resultQueries.tallies(evaluation.id, model.id, when).map((tally) => [tally.position, tally]),
  );
  return {
    shown,
    tally: ({ position }) => tallies.get(position) ?? unscored,
    glance: ({ position }, passed) =>
      resultQueries.glance(evaluation.id, position, model.id, when, passed),
    describe: ({ hash }) => {
      const text = resultQueries.caseText(hash);
      return { name: text?.name ?? '', query: text?.query ?? '' };
    },
  };
}
