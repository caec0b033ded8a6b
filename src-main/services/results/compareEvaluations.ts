import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  Comparison,
  ComparisonSide,
  PassedWhen,
} from '../../../src-shared/domain/comparison.ts';
import type { CaseTally, PlacedCase } from '../../store/runs/resultQueries.ts';
import type { Store } from '../../store/store.ts';
import { questionKey } from '../evaluations/whatIf/renamedTools.ts';
import { modelsDiffer, loadSide, otherConditions, type LoadedSide } from './comparedSide.ts';
import {
  answerCandidates,
  sortPairs,
  type ComparableSide,
  type SortedPairs,
} from './comparePairs.ts';
import { pairCases } from './pairCases.ts';
import { createQuestionReader, questionOf } from './questionOf.ts';
import { hasChanges, toolDifferences } from './toolDifferences.ts';

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
      return {
        ...candidate,
        tools: toolDifferences(store, before.evaluation.snapshotId, side.evaluation.snapshotId),
        modelDiffers: modelsDiffer(before.model, side.model),
        conditions: otherConditions(before, side),
      };
    }),
  };
}

/**
 * Pairs the cases of two sides and sorts them into lists. Throws INVALID when no case is shared.
 */
function pairSides(
  store: Store,
  before: LoadedSide,
  after: LoadedSide,
  when: PassedWhen,
): SortedPairs {
  requireOneChange(store, before, after);
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
  if (pairs.shared.length === 0) {
    throw new ServiceError('INVALID', {
      thing: `Evaluations #${before.evaluation.number} and #${after.evaluation.number}`,
      cause:
        pairs.changed.length > 0
          ? `All ${pairs.changed.length} shared cases changed between them.`
          : 'They have no cases in common.',
      nextStep: 'Compare evaluations of the same suite, or run one of them again.',
    });
  }
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

/**
 * Throws INVALID when both the model and the tools differ: nobody could tell which of them made the
 * difference.
 */
function requireOneChange(store: Store, before: LoadedSide, after: LoadedSide): void {
  if (!modelsDiffer(before.model, after.model)) return;
  if (
    !hasChanges(toolDifferences(store, before.evaluation.snapshotId, after.evaluation.snapshotId))
  )
    return;
  throw new ServiceError('INVALID', {
    thing: `Evaluations #${before.evaluation.number} and #${after.evaluation.number}`,
    cause:
      `Both the model (${before.shown.model}, ${after.shown.model}) and the tools differ, so ` +
      'the cause of a difference would be unclear.',
    nextStep: 'Compare evaluations that have the model or the tools in common.',
  });
}
