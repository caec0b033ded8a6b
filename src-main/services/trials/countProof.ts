import type { OptimizationResult } from '../../../src-shared/domain/optimization.ts';
import { rowLabel, splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { caseOutcome } from '../../../src-shared/metrics/pairing.ts';
import type { ProofCounts } from '../../../src-shared/metrics/rewriteProof.ts';

/** Calls that the scored runs of one item should have made of one tool, or of its alternatives. */
export interface CallTally {
  /** The tools whose call is correct. */
  tools: readonly string[];
  expected: number;
  made: number;
}

/** How a case or a task came out on one side of a proof, over all of its runs. */
export interface ProofItem {
  /** Its position in the evaluation that is repeated, on both sides. */
  position: number;
  scored: number;
  /** Scored runs that passed or succeeded. */
  right: number;
  calls: readonly CallTally[];
}

export type CountedProof = ProofCounts &
  Pick<OptimizationResult, 'notScored' | 'passedBefore' | 'passedAfter' | 'tools'>;

/** The tools that edits change, under their old and their new names. */
export const editedIds = (edits: readonly TextEdit[]): Set<string> =>
  new Set(
    edits.flatMap(({ toolId: id, path, newText }) =>
      path === '/name' ? [id, toolId(splitToolId(id).server, newText)] : [id],
    ),
  );

/**
 * Pairs the items of a half before and after. An item is fixed or broken if its outcome by majority
 * of its scored runs changes; items that are tied or not scored on a side are left out and counted.
 * The calls of tools that were not edited are counted by run, in each side over the runs that it
 * scored: a run that has no score takes no call away. Alternatives count as one tool, unless an
 * edited tool is among them. Pure. Source: docs/rules.md §4, Proven rewrites.
 * @param edited ids of the edited tools, see `editedIds`
 */
export function countProof(
  before: readonly ProofItem[],
  after: readonly ProofItem[],
  edited: ReadonlySet<string>,
): CountedProof {
  const repeated = new Map(after.map((item) => [item.position, item]));
  const isOther = ({ tools }: CallTally): boolean => !tools.some((id) => edited.has(id));
  const others = new Map<string, { won: number; lost: number }>();
  const tools = new Map<string, { cases: number; before: number; after: number }>();
  const calls = { expected: 0, before: 0, after: 0, expectedAfter: 0 };
  const counts = { cases: 0, won: 0, lost: 0, notScored: 0, passedBefore: 0, passedAfter: 0 };
  for (const old of before) {
    const now = repeated.get(old.position);
    const [was, is] = [passes(old), passes(now)];
    if (now === undefined || was === null || is === null) {
      counts.notScored += 1;
      continue;
    }
    const [won, lost] = [Number(is && !was), Number(was && !is)];
    counts.cases += 1;
    counts.passedBefore += Number(was);
    counts.passedAfter += Number(is);
    counts.won += won;
    counts.lost += lost;
    for (const id of new Set(old.calls.flatMap((call) => call.tools))) {
      const tool = tools.get(id) ?? { cases: 0, before: 0, after: 0 };
      tool.cases += 1;
      tool.before += Number(was);
      tool.after += Number(is);
      tools.set(id, tool);
    }
    for (const label of new Set(old.calls.filter(isOther).map((call) => rowLabel(call.tools)))) {
      const flips = others.get(label) ?? { won: 0, lost: 0 };
      others.set(label, { won: flips.won + won, lost: flips.lost + lost });
    }
    for (const { expected, made } of old.calls.filter(isOther)) {
      calls.expected += expected;
      calls.before += made;
    }
    for (const { expected, made } of now.calls.filter(isOther)) {
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
function passes(item: ProofItem | undefined): boolean | null {
  const outcome = item ? caseOutcome(item.right, item.scored) : 'not_scored';
  return outcome === 'passed' ? true : outcome === 'failed' ? false : null;
}
