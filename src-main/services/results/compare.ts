import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { PresentedAs } from '../../../src-shared/domain/clientFacts.ts';
import type {
  CandidateComparison,
  ComparedCase,
  ComparedSide,
  Comparison,
  PassedWhen,
  PresentedSide,
} from '../../../src-shared/domain/comparison.ts';
import { NO_TOOL } from '../../../src-shared/domain/labels.ts';
import { clusteredRatio } from '../../../src-shared/metrics/clusteredInterval.ts';
import { neededRepetitions } from '../../../src-shared/metrics/neededRepetitions.ts';
import {
  answerPairs,
  caseOutcome,
  SIGNIFICANCE,
  undecided,
  type CaseOutcome,
} from '../../../src-shared/metrics/pairing.ts';
import { differingConditions } from '../runs/conditions.ts';
import { pairCases } from './pairCases.ts';
import { pairObstacle } from './pairObstacle.ts';
import { modelsDiffer, type Side, type SideItem } from './side.ts';
import { changesBetween } from './toolDifferences.ts';

export interface SidePair {
  before: Side;
  after: Side;
}

export interface PairComparison {
  baseline: ComparedSide;
  candidate: CandidateComparison;
}

/**
 * Compares results with a baseline over the cases or tasks that both share unchanged (docs/rules.md
 * §3, Comparisons). Throws INVALID when a pair of sides can't be compared.
 */
export function compare(before: Side, after: readonly Side[], when: PassedWhen): Comparison {
  const pairs = after.map((side) => ({ before, after: side }));
  const clients = presentedSides([before, ...after], when);
  return {
    passedWhen: when,
    baseline: before.shown,
    ...(clients.length > 0 && { clients }),
    candidates: comparePairs(pairs, when).map(({ candidate }, at) => {
      const side = after[at] ?? before;
      const obstacle = pairObstacle(before, side, candidate, when);
      if (obstacle !== null)
        throw new ServiceError('INVALID', { thing: bothNames(before, side), ...obstacle });
      return candidate;
    }),
  };
}

/** Sides that differ in their client, each with its own rate; none where all present tools alike. */
function presentedSides(sides: readonly Side[], when: PassedWhen): PresentedSide[] {
  const clients = sides.map(({ conditions }) => String(conditions['client'] ?? generic));
  if (new Set(clients).size < 2) return [];
  return sides.map((side, at) => {
    const { report, number, model } = side.shown;
    const client = clients[at] ?? generic;
    const shares = side.items
      .map((item) => side.tally(item, when))
      .filter(({ scored }) => scored > 0)
      .map(({ right, scored }) => ({ numerator: right / scored, denominator: 1 }));
    const lost = client === generic ? { hidden: 0, cut: 0 } : side.lost();
    return {
      ...{ client, number, model, ...(report !== undefined && { report }) },
      passed: clusteredRatio(shares),
      ...{ hidden: lost?.hidden ?? null, cut: lost?.cut ?? null },
    };
  });
}

/** Tools as providers take them: as no client shows them. */
const generic = 'generic' satisfies PresentedAs;

/** "Evaluations #1 and #2"; with a report among them, their names. */
function bothNames(before: Side, after: Side): string {
  const isStored = before.shown.report === undefined && after.shown.report === undefined;
  return isStored && before.unit === after.unit
    ? `${before.unit === 'task' ? 'Task evaluations' : 'Evaluations'} #${before.shown.number} and #${after.shown.number}`
    : `${before.name} and ${after.name}`;
}

/**
 * Compares each pair by the paired test over its shared items. The p-values of all pairs are adjusted
 * together (docs/rules.md §3, Comparisons).
 */
export function comparePairs(pairs: readonly SidePair[], when: PassedWhen): PairComparison[] {
  const sorted = pairs.map((pair) => ({ ...pair, ...sortItems(pair, when) }));
  const answers = answerPairs(
    sorted.map(({ shares }) => shares.map(({ before, after }) => after - before)),
  );
  const tested = answers.filter(({ difference }) => difference !== null).length;
  return sorted.map(({ before, after, shares, stillRight, lists }, at) => {
    const rate = (share: (pair: SharePair) => number) =>
      clusteredRatio(shares.map((pair) => ({ numerator: share(pair), denominator: 1 })));
    const passShares = countShares(shares);
    const answered = answers[at] ?? undecided;
    return {
      baseline: before.shown,
      candidate: {
        ...after.shown,
        sharedCases: shares.length,
        baselineRight: rate((pair) => pair.before),
        candidateRight: rate((pair) => pair.after),
        passShares,
        ...answered,
        needed: answered.needed && {
          ...answered.needed,
          repetitions: neededRepetitions(passShares, SIGNIFICANCE / tested),
        },
        stillRight,
        ...lists,
        tools: changesBetween(before.tools(), after.tools()),
        modelDiffers:
          before.model !== null && after.model !== null && modelsDiffer(before.model, after.model),
        conditions: differingConditions(before.conditions, after.conditions),
      },
    };
  });
}

type ItemLists = Pick<
  CandidateComparison,
  'regressed' | 'fixed' | 'stillFailing' | 'tied' | 'notScored' | 'changed' | 'added' | 'removed'
>;

/** The pass shares of one shared item, scored on both sides. */
interface SharePair {
  before: number;
  after: number;
  /** Scored repetitions. */
  runsBefore: number;
  runsAfter: number;
}

/** Sorts the items of two sides into lists by their outcome on both. */
function sortItems({ before, after }: SidePair, when: PassedWhen) {
  const pairs = pairCases(before.items, after.items, {
    before: before.question,
    after: after.question,
    same: (a, b) => a.content === b.content && !before.isRenamed && !after.isRenamed,
  });
  const show = (
    old: SideItem | null,
    now: SideItem | null,
    outcomes: [CaseOutcome, CaseOutcome] = ['failed', 'failed'],
  ): ComparedCase => showItem({ before, after }, old, now, outcomes, when);
  const lists: ItemLists = {
    regressed: [],
    fixed: [],
    stillFailing: [],
    tied: [],
    notScored: [],
    changed: pairs.changed.map((pair) => show(pair.before, pair.after)),
    added: pairs.added.map((item) => show(null, item)),
    removed: pairs.removed.map((item) => show(item, null)),
  };
  const shares: SharePair[] = [];
  let stillRight = 0;
  for (const pair of pairs.shared) {
    const [old, now] = [before.tally(pair.before, when), after.tally(pair.after, when)];
    if (old.scored > 0 && now.scored > 0)
      shares.push({
        ...{ before: old.right / old.scored, after: now.right / now.scored },
        ...{ runsBefore: old.scored, runsAfter: now.scored },
      });
    const outcomes: [CaseOutcome, CaseOutcome] = [
      caseOutcome(old.right, old.scored),
      caseOutcome(now.right, now.scored),
    ];
    const list = listOf(outcomes);
    if (list === null) stillRight += 1;
    else lists[list].push(show(pair.before, pair.after, outcomes));
  }
  return { shares, stillRight, lists };
}

/** The list that a pair belongs to; null when it passed on both sides. */
function listOf([old, now]: [CaseOutcome, CaseOutcome]): keyof ItemLists | null {
  if (old === 'not_scored' || now === 'not_scored') return 'notScored';
  if (old === 'tied' || now === 'tied') return 'tied';
  if (old === 'passed') return now === 'passed' ? null : 'regressed';
  return now === 'passed' ? 'fixed' : 'stillFailing';
}

/** Shared items by their two pass shares: all that the numbers of a comparison are made of. */
function countShares(shares: readonly SharePair[]): CandidateComparison['passShares'] {
  const counts = new Map<string, CandidateComparison['passShares'][number]>();
  for (const { before, after, runsBefore, runsAfter } of shares) {
    const key = `${before} ${after} ${runsBefore} ${runsAfter}`;
    const known = counts.get(key);
    if (known) known.cases += 1;
    else
      counts.set(key, {
        ...{ baseline: before, candidate: after },
        ...{ baselineRuns: runsBefore, candidateRuns: runsAfter, cases: 1 },
      });
  }
  return [...counts.values()].sort(
    (a, b) =>
      a.baseline - b.baseline ||
      a.candidate - b.candidate ||
      a.baselineRuns - b.baselineRuns ||
      a.candidateRuns - b.candidateRuns,
  );
}

function showItem(
  { before, after }: SidePair,
  old: SideItem | null,
  now: SideItem | null,
  [was, is]: [CaseOutcome, CaseOutcome],
  when: PassedWhen,
): ComparedCase {
  const oldRun = old === null ? null : before.glance(old, was === 'passed', when);
  const newRun = now === null ? null : after.glance(now, is === 'passed', when);
  const [side, item] = now === null ? [before, old] : [after, now];
  const text = item === null ? null : side.describe(item);
  return {
    testCaseId: item?.testCaseId ?? '',
    caseKey: item?.caseKey ?? item?.testCaseId ?? '',
    name: text?.name ?? '',
    query: text?.query ?? '',
    baselineRunId: oldRun?.runId ?? null,
    candidateRunId: newRun?.runId ?? null,
    before: labels(oldRun?.selected),
    after: labels(newRun?.selected),
    differences:
      was === 'passed' && is === 'failed' && now !== null && newRun !== null
        ? after.differences(now, newRun.runId)
        : [],
  };
}

/** "No tool" is only shown when no call was made. */
function labels(selected: readonly string[] | undefined): string[] {
  const calls = (selected ?? []).filter((label) => label !== NO_TOOL);
  return calls.length > 0 || selected === undefined || selected.length === 0 ? calls : [NO_TOOL];
}
