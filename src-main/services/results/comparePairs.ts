import type {
  CandidateComparison,
  ComparedCase,
  ComparedSide,
} from '../../../src-shared/domain/comparison.ts';
import { NO_TOOL } from '../../../src-shared/domain/labels.ts';
import { clusteredRatio } from '../../../src-shared/metrics/clusteredInterval.ts';
import { answerPairs, caseOutcome, type CaseOutcome } from '../../../src-shared/metrics/pairing.ts';
import type { CaseIdentity, CasePairs } from './pairCases.ts';

/** One side of a comparison, wherever it was read from. */
export interface ComparableSide<Case extends CaseIdentity> {
  shown: ComparedSide;
  /** How many repetitions of a case were scored, and how many of them passed. */
  tally: (placedCase: Case) => { right: number; scored: number };
  /** The first run of a case with this outcome; where there is none, its first run. */
  glance: (placedCase: Case, passed: boolean) => { runId: string; selected: string[] } | null;
  describe: (placedCase: Case) => { name: string; query: string };
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

/** A candidate with its cases sorted by what changed. */
export interface SortedPairs {
  shown: ComparedSide;
  shares: SharePair[];
  stillRight: number;
  lists: CaseLists;
}

/** Sorts paired cases into lists by their outcome on both sides. */
export function sortPairs<Case extends CaseIdentity>(
  before: ComparableSide<Case>,
  after: ComparableSide<Case>,
  pairs: CasePairs<Case>,
): SortedPairs {
  const show = (
    old: Case | null,
    now: Case | null,
    sides: [CaseOutcome, CaseOutcome] = ['failed', 'failed'],
  ): ComparedCase => showCase([before, after], old, now, sides);
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
  const shares: SharePair[] = [];
  let stillRight = 0;
  for (const pair of pairs.shared) {
    const [old, now] = [before.tally(pair.before), after.tally(pair.after)];
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
  return { shown: after.shown, shares, stillRight, lists };
}

/** The numbers of a comparison that follow from the shared cases. */
type Compared = Omit<CandidateComparison, 'tools' | 'modelDiffers' | 'conditions'>;

/**
 * Answers each candidate by the paired test of its shared cases; several candidates are adjusted
 * together (docs/rules.md §3, Comparisons).
 */
export function answerCandidates(candidates: readonly SortedPairs[]): Compared[] {
  const answers = answerPairs(
    candidates.map(({ shares }) => shares.map(({ before, after }) => after - before)),
  );
  return candidates.map(({ shown, shares, stillRight, lists }, at): Compared => {
    const rate = (share: (pair: SharePair) => number) =>
      clusteredRatio(shares.map((pair) => ({ numerator: share(pair), denominator: 1 })));
    return {
      ...shown,
      sharedCases: shares.length,
      baselineRight: rate(({ before }) => before),
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
    };
  });
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

/** A case with a representative run of each side. */
function showCase<Case extends CaseIdentity>(
  [before, after]: readonly [ComparableSide<Case>, ComparableSide<Case>],
  old: Case | null,
  now: Case | null,
  [oldSide, newSide]: [CaseOutcome, CaseOutcome],
): ComparedCase {
  const oldRun = old === null ? null : before.glance(old, oldSide === 'passed');
  const newRun = now === null ? null : after.glance(now, newSide === 'passed');
  const [side, placedCase] = now === null ? [before, old] : [after, now];
  const text = placedCase === null ? null : side.describe(placedCase);
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
