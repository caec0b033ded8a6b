import type { OptimizationResult } from '../../../src-shared/domain/optimization.ts';
import { rowLabel, splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { caseOutcome } from '../../../src-shared/metrics/pairing.ts';
import type { ProofCounts } from '../../../src-shared/metrics/candidateProof.ts';
import { pairCases } from '../results/pairCases.ts';
import type { CallTally, ProofSide, Side, SideItem } from '../results/side.ts';
import type { HalfItem } from './trial.ts';

export type CountedProof = ProofCounts &
  Pick<OptimizationResult, 'notScored' | 'passedBefore' | 'passedAfter' | 'tools'>;

/** The tools that edits change, under their old and their new names. */
export const editedIds = (edits: readonly TextEdit[]): Set<string> =>
  new Set(
    edits.flatMap(({ toolId: id, path, newText }) =>
      path === '/name' ? [id, toolId(splitToolId(id).server, newText)] : [id],
    ),
  );

/** An item of a half: its position in the evaluation that is repeated, and the tools it expects. */
type ProofItem = Pick<HalfItem, 'position' | 'expected'>;

/** The items of an evaluation, by their positions, as a repetition of it has them. */
export function repeatedItems(
  before: Pick<Side, 'items'>,
  after: Pick<Side, 'items'>,
): Map<number, SideItem> {
  const contentOf = ({ content }: SideItem): string => content;
  const { shared } = pairCases(before.items, after.items, {
    before: contentOf,
    after: contentOf,
    // A repetition may give tools other names.
    same: () => true,
  });
  return new Map(shared.map((pair) => [pair.before.position, pair.after]));
}

/**
 * Pairs the items of a half before and after. An item is fixed or broken if its outcome by majority
 * of its scored runs changes; items that are tied or not scored on a side are left out and counted.
 * The calls of tools that were not edited are counted by run, in each side over the runs that it
 * scored: a run that has no score takes no call away. Alternatives count as one tool, unless an
 * edited tool is among them. Pure. Source: docs/rules.md §4, Proven candidates.
 * @param edited ids of the edited tools, see `editedIds`
 */
export function countProof(
  before: ProofSide,
  after: ProofSide | null,
  half: readonly ProofItem[],
  edited: ReadonlySet<string>,
): CountedProof {
  const repeated = after ? repeatedItems(before, after) : new Map<number, SideItem>();
  const own = new Map(before.items.map((item) => [item.position, item]));
  const isOther = ({ tools }: CallTally): boolean => !tools.some((id) => edited.has(id));
  const others = new Map<string, { won: number; lost: number }>();
  const tools = new Map<string, { cases: number; before: number; after: number }>();
  const calls = { expected: 0, before: 0, after: 0, expectedAfter: 0 };
  const counts = { cases: 0, won: 0, lost: 0, notScored: 0, passedBefore: 0, passedAfter: 0 };
  for (const { position, expected: ofItem } of half) {
    const [old, now] = [own.get(position), repeated.get(position)];
    const [was, is] = [passes(before, old), passes(after, now)];
    if (!old || !now || !after || was === null || is === null) {
      counts.notScored += 1;
      continue;
    }
    const [oldCalls, nowCalls] = [before.calls(old, ofItem), after.calls(now, ofItem)];
    const [won, lost] = [Number(is && !was), Number(was && !is)];
    counts.cases += 1;
    counts.passedBefore += Number(was);
    counts.passedAfter += Number(is);
    counts.won += won;
    counts.lost += lost;
    for (const id of new Set(oldCalls.flatMap((call) => call.tools))) {
      const tool = tools.get(id) ?? { cases: 0, before: 0, after: 0 };
      tool.cases += 1;
      tool.before += Number(was);
      tool.after += Number(is);
      tools.set(id, tool);
    }
    for (const label of new Set(oldCalls.filter(isOther).map((call) => rowLabel(call.tools)))) {
      const flips = others.get(label) ?? { won: 0, lost: 0 };
      others.set(label, { won: flips.won + won, lost: flips.lost + lost });
    }
    for (const { expected, made } of oldCalls.filter(isOther)) {
      calls.expected += expected;
      calls.before += made;
    }
    for (const { expected, made } of nowCalls.filter(isOther)) {
      calls.expectedAfter += expected;
      calls.after += made;
    }
  }
  return {
    ...counts,
    others: [...others].map(([id, flips]) => ({ toolId: id, ...flips })),
    otherCalls: calls,
    tools: [...tools].map(([id, tool]) => ({ toolId: id, ...tool })),
  };
}

/** True, false, or null where an item has no outcome. */
function passes(side: ProofSide | null, item: SideItem | undefined): boolean | null {
  if (side === null || item === undefined) return null;
  const { right, scored } = side.tally(item, side.passedWhen);
  const outcome = caseOutcome(right, scored);
  return outcome === 'passed' ? true : outcome === 'failed' ? false : null;
}
