import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
  ComparisonSide,
  PassedWhen,
} from '../../../src-shared/domain/comparison.ts';
import { NO_TOOL } from '../../../src-shared/domain/labels.ts';
import { clusteredRatio } from '../../../src-shared/metrics/clusteredInterval.ts';
import { answerPairs, caseOutcome, type CaseOutcome } from '../../../src-shared/metrics/pairing.ts';
import type { CaseTally, PlacedCase } from '../../store/runs/resultQueries.ts';
import type { Store } from '../../store/store.ts';
import { questionKey } from '../evaluations/whatIf/renamedTools.ts';
import { modelsDiffer, loadSide, otherConditions, type LoadedSide } from './comparedSide.ts';
import { questionOf, pairCases, type CasePairs } from './pairCases.ts';
import { hasChanges, toolDifferences } from './toolDifferences.ts';

export interface CompareRequest {
  baseline: ComparisonSide;
  candidates: readonly ComparisonSide[];
  passedWhen: PassedWhen | null;
}

type CaseLists = Pick<
  CandidateComparison,
  'regressed' | 'fixed' | 'stillFailing' | 'tied' | 'notScored' | 'changed' | 'added' | 'removed'
>;

/** The pass shares of one shared case, scored on both sides. */
interface SharePair {
  before: number;
  after: number;
}

/** A candidate with its cases paired with those of the baseline. */
interface PairedCandidate {
  side: LoadedSide;
  pairs: CasePairs;
  shares: SharePair[];
  stillRight: number;
  lists: CaseLists;
}

/**
 * Compares evaluations with a baseline over the cases that both share unchanged (docs/rules.md §3,
 * Comparisons). Throws INVALID when a pair of sides can't be compared.
 */
export function compareEvaluations(store: Store, request: CompareRequest): Comparison {
  const before = loadSide(store, request.baseline);
  const passedWhen = request.passedWhen ?? 'selection_and_parameters';
  const paired = request.candidates.map((candidate) =>
    pairSides(store, before, loadSide(store, candidate), passedWhen),
  );
  const answers = answerPairs(
    paired.map(({ shares }) => shares.map(({ before: old, after }) => after - old)),
  );
  return {
    passedWhen,
    baseline: before.shown,
    candidates: paired.map(({ side, shares, stillRight, lists }, at): CandidateComparison => {
      const rate = (share: (pair: SharePair) => number) =>
        clusteredRatio(shares.map((pair) => ({ numerator: share(pair), denominator: 1 })));
      return {
        ...side.shown,
        sharedCases: shares.length,
        baselineRight: rate(({ before: old }) => old),
        candidateRight: rate(({ after }) => after),
        passShares: countShares(shares),
        ...(answers[at] ?? {
          difference: null,
          pValue: null,
          adjustedP: null,
          answer: 'cannot tell' as const,
          needed: null,
        }),
        stillRight,
        ...lists,
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
): PairedCandidate {
  requireOneChange(store, before, after);
  // Each side may be a what-if with its own renamed tools. Without any, the texts of cases are
  // compared directly.
  const renamed = (side: LoadedSide) =>
    side.evaluation.settings.whatIf?.changes.some(({ kind }) => kind === 'rename') ?? false;
  const restored = renamed(before) || renamed(after);
  const questionOfAfter = restored
    ? questionKey(after.evaluation.settings.whatIf, before.evaluation.settings.whatIf)
    : questionOf;
  const pairs = pairCases(
    store,
    store.resultQueries.cases(before.evaluation.id),
    store.resultQueries.cases(after.evaluation.id),
    questionOfAfter,
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
  const shares: SharePair[] = [];
  let stillRight = 0;
  const show = (
    old: PlacedCase | null,
    now: PlacedCase | null,
    sides: [CaseOutcome, CaseOutcome] = ['failed', 'failed'],
  ): ComparedCase => showCase(store, { before, after, when }, old, now, sides);
  const lists: CaseLists = {
    regressed: [],
    fixed: [],
    stillFailing: [],
    tied: [],
    notScored: [],
    changed: pairs.changed.map((pair) => show(pair.before, pair.after)),
    added: pairs.added.map((placedCase) => show(null, placedCase)),
    removed: pairs.removed.map((placedCase) => show(placedCase, null)),
  };
  const [oldTallies, newTallies] = [
    talliesByPosition(store, before, when),
    talliesByPosition(store, after, when),
  ];
  for (const pair of pairs.shared) {
    const old = oldTallies.get(pair.before.position) ?? unscored;
    const now = newTallies.get(pair.after.position) ?? unscored;
    if (old.scored > 0 && now.scored > 0)
      shares.push({ before: old.right / old.scored, after: now.right / now.scored });
    const sides: [CaseOutcome, CaseOutcome] = [
      caseOutcome(old.right, old.scored),
      caseOutcome(now.right, now.scored),
    ];
    const list = listOf(sides);
    if (list === null) stillRight += 1;
    else lists[list].push(show(pair.before, pair.after, sides));
  }
  return { side: after, pairs, shares, stillRight, lists };
}

/** The list that a pair belongs to; null when it passed on both sides. */
function listOf([old, now]: [CaseOutcome, CaseOutcome]): keyof CaseLists | null {
  if (old === 'not_scored' || now === 'not_scored') return 'notScored';
  if (old === 'tied' || now === 'tied') return 'tied';
  if (old === 'passed') return now === 'passed' ? null : 'regressed';
  return now === 'passed' ? 'fixed' : 'stillFailing';
}

/** Shared cases by their two pass shares: all that the numbers of a comparison are made of. */
function countShares(shares: readonly SharePair[]): CandidateComparison['passShares'] {
  const counts = new Map<string, CandidateComparison['passShares'][number]>();
  for (const { before, after } of shares) {
    const key = `${before} ${after}`;
    const known = counts.get(key);
    if (known) known.cases += 1;
    else counts.set(key, { baseline: before, candidate: after, cases: 1 });
  }
  return [...counts.values()].sort((a, b) => a.baseline - b.baseline || a.candidate - b.candidate);
}

const unscored = { right: 0, scored: 0 };

/** How often each case passed over its scored repetitions. */
function talliesByPosition(
  store: Store,
  { evaluation, model }: LoadedSide,
  when: PassedWhen,
): Map<number, CaseTally> {
  return new Map(
    store.resultQueries
      .tallies(evaluation.id, model.id, when)
      .map((tally) => [tally.position, tally]),
  );
}

/** A case with a representative run of each side. */
function showCase(
  store: Store,
  { before, after, when }: { before: LoadedSide; after: LoadedSide; when: PassedWhen },
  old: PlacedCase | null,
  now: PlacedCase | null,
  [oldSide, newSide]: [CaseOutcome, CaseOutcome],
): ComparedCase {
  const glance = (side: LoadedSide, placedCase: PlacedCase | null, out: CaseOutcome) =>
    placedCase === null
      ? null
      : store.resultQueries.glance(
          side.evaluation.id,
          placedCase.position,
          side.model.id,
          when,
          out === 'passed',
        );
  const [oldRun, newRun] = [glance(before, old, oldSide), glance(after, now, newSide)];
  const placedCase = now ?? old;
  const text = placedCase === null ? null : store.resultQueries.caseText(placedCase.hash);
  return {
    testCaseId: placedCase?.testCaseId ?? '',
    caseKey: placedCase?.caseKey ?? placedCase?.testCaseId ?? '',
    name: text?.name ?? '',
    query: text?.query ?? '',
    baselineRunId: oldRun?.runId ?? null,
    candidateRunId: newRun?.runId ?? null,
    before: labels(oldRun?.selected),
    after: labels(newRun?.selected),
  };
}

/** "No tool" is only shown when no call was made. */
function labels(selected: readonly string[] | undefined): string[] {
  const calls = (selected ?? []).filter((label) => label !== NO_TOOL);
  return calls.length > 0 || selected === undefined || selected.length === 0 ? calls : [NO_TOOL];
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
