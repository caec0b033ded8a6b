import type { ProofCounts } from '../../../src-shared/metrics/rewriteProof.ts';
import type { OptimizationResult } from '../../../src-shared/domain/optimization.ts';
import type { CaseScore, SearchCase } from '../../optimize/effects.ts';

type Counted = ProofCounts &
  Pick<OptimizationResult, 'notScored' | 'passedBefore' | 'passedAfter' | 'tools'>;

/**
 * Pairs the cases of the proof half before and after. A case is fixed or broken if its outcome by
 * majority of its repetitions changes; cases that are tied or not scored on a side are left out.
 * Calls expected of tools that were not edited are counted apart. Pure.
 */
export function countProof(
  cases: readonly SearchCase[],
  before: readonly CaseScore[],
  after: readonly CaseScore[],
  edited: ReadonlySet<string>,
): Counted {
  const others = new Map<string, { won: number; lost: number }>();
  const tools = new Map<string, { cases: number; before: number; after: number }>();
  const calls = { expected: 0, before: 0, after: 0 };
  const counts = { cases: 0, won: 0, lost: 0, notScored: 0, passedBefore: 0, passedAfter: 0 };
  cases.forEach(({ expected }, at) => {
    const [old, now] = [before[at], after[at]];
    const [was, is] = [passes(old), passes(now)];
    if (was === null || is === null) {
      counts.notScored += 1;
      return;
    }
    counts.cases += 1;
    counts.passedBefore += Number(was);
    counts.passedAfter += Number(is);
    if (is && !was) counts.won += 1;
    if (was && !is) counts.lost += 1;
    for (const id of new Set(expected)) {
      const tool = tools.get(id) ?? { cases: 0, before: 0, after: 0 };
      tool.cases += 1;
      tool.before += Number(was);
      tool.after += Number(is);
      tools.set(id, tool);
      if (edited.has(id)) continue;
      const other = others.get(id) ?? { won: 0, lost: 0 };
      if (is && !was) other.won += 1;
      if (was && !is) other.lost += 1;
      others.set(id, other);
      calls.expected += 1;
      calls.before += Number(!misses(old, id));
      calls.after += Number(!misses(now, id));
    }
  });
  return {
    ...counts,
    others: [...others].map(([toolId, flips]) => ({ toolId, ...flips })),
    otherCalls: calls,
    tools: [...tools].map(([toolId, tool]) => ({ toolId, ...tool })),
  };
}

/** True, false, or null where a case has no outcome. */
function passes(score: CaseScore | undefined): boolean | null {
  if (!score || score.share === null || score.share === 0.5) return null;
  return score.share > 0.5;
}

/** True if a call that was expected of the tool was not made. */
const misses = (score: CaseScore | undefined, id: string): boolean =>
  score?.failures.some(({ expected, called }) => expected === id && called !== id) ?? true;
