import { toolId } from '../../src-shared/domain/labels.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import type { CallMatch } from '../../src-shared/domain/score.ts';
import { alternatives, type Expectation } from '../../src-shared/domain/testCase.ts';
import { assign } from './assignment.ts';

/**
 * How well the arguments of an actual call fit an expected one; `full` means that all of E matches.
 */
export interface Fit {
  full: boolean;
  matched: number;
  expected: number;
}

export interface Pair {
  expectedIndex: number;
  actualIndex: number;
  toolId: string;
}

export interface Matching {
  pairs: Pair[];
  /** Indexes of expected calls without a partner, in order. */
  unmatched: number[];
  /** Indexes of actual calls that are left over, in order, without calls to allowed tools. */
  leftOver: number[];
  /** Indexes of actual calls that are ignored because their tool is allowed. */
  allowed: number[];
}

/** `server:tool` of a call, or null if it names nothing that was offered. */
export function idOf(call: ActualCall, offered: ReadonlySet<string>): string | null {
  if (call.server === null || call.tool === null) return null;
  const id = toolId(call.server, call.tool);
  return offered.has(id) ? id : null;
}

/**
 * Pairs the k-th expected call with the k-th actual one. A call to an allowed tool that doesn't fit
 * its position is skipped.
 */
function pairByPosition(
  wanted: readonly ReadonlySet<string>[],
  made: readonly number[],
  ids: readonly (string | null)[],
  isAllowed: (index: number) => boolean,
): Pair[] {
  const pairs: Pair[] = [];
  let at = 0;
  for (const [expectedIndex, tools] of wanted.entries()) {
    const fits = (index: number): boolean => tools.has(ids[index] ?? '');
    let actualIndex = made[at];
    while (actualIndex !== undefined && !fits(actualIndex) && isAllowed(actualIndex))
      actualIndex = made[(at += 1)];
    if (actualIndex === undefined) break;
    if (fits(actualIndex))
      pairs.push({ expectedIndex, actualIndex, toolId: ids[actualIndex] ?? '' });
    at += 1;
  }
  return pairs;
}

/**
 * Pairs without alternatives: no expected call and no actual call has more than one possible
 * partner. Null if there is a choice.
 */
function pairPlainly(
  wanted: readonly ReadonlySet<string>[],
  made: readonly number[],
  ids: readonly (string | null)[],
): Pair[] | null {
  const pairs: Pair[] = [];
  const taken = new Set<number>();
  for (const [expectedIndex, tools] of wanted.entries()) {
    const possible = made.filter((index) => tools.has(ids[index] ?? ''));
    const [actualIndex] = possible;
    if (possible.length > 1 || (actualIndex !== undefined && taken.has(actualIndex))) return null;
    if (actualIndex === undefined) continue;
    taken.add(actualIndex);
    pairs.push({ expectedIndex, actualIndex, toolId: ids[actualIndex] ?? '' });
  }
  return pairs;
}

/**
 * The best pairing: most pairs, then most fully matching calls, then most matched parameters. Ties
 * go to the calls that come first in their lists and keep their order. The three counts are digits
 * of one number, each weighted to outweigh everything after it.
 */
function pairBest(
  wanted: readonly ReadonlySet<string>[],
  made: readonly number[],
  ids: readonly (string | null)[],
  fit: (expectedIndex: number, actualIndex: number) => Fit,
): Pair[] {
  const fits = new Map<string, Fit>();
  let maxParameters = 0;
  for (const [row, tools] of wanted.entries()) {
    let most = 0;
    for (const [column, index] of made.entries()) {
      if (!tools.has(ids[index] ?? '')) continue;
      const found = fit(row, index);
      fits.set(`${row} ${column}`, found);
      most = Math.max(most, found.matched);
    }
    maxParameters += most;
  }
  const fullUnit = maxParameters + 1;
  const pairUnit = fullUnit * (wanted.length + 1);
  const short = Math.min(wanted.length, made.length);
  const positionUnit = short * wanted.length * made.length + 1;
  const columns = assign(wanted.length, made.length, (row, column) => {
    const found = fits.get(`${row} ${column}`);
    if (!found) return null;
    return {
      value: pairUnit + (found.full ? fullUnit : 0) + found.matched,
      rank: (row + column) * positionUnit - row * column,
    };
  });
  return columns.flatMap((column, expectedIndex) => {
    const actualIndex = column === null ? undefined : made[column];
    return actualIndex === undefined
      ? []
      : [{ expectedIndex, actualIndex, toolId: ids[actualIndex] ?? '' }];
  });
}

/**
 * Pairs actual calls with expected calls of the same server and tool, one to one (docs/rules.md §3,
 * Matching and classification). Calls to allowed tools are ignored, unless such a tool is also
 * expected: then its calls may be paired, and are ignored only if left over. `ids` holds
 * `server:tool` of each actual call, null for a phantom. O(n³) in the number of calls in the worst
 * case.
 */
export function matchCalls(
  expectation: Expectation,
  ids: readonly (string | null)[],
  fit: (expectedIndex: number, actualIndex: number) => Fit,
): Matching {
  const wanted = expectation.expectedCalls.map(
    (call) => new Set(alternatives(call).map((t) => toolId(t.server, t.tool))),
  );
  const allowedTools = new Set(expectation.allowedCalls.map((t) => toolId(t.server, t.tool)));
  const isWanted = (id: string): boolean => wanted.some((tools) => tools.has(id));
  const isAllowed = (index: number): boolean => allowedTools.has(ids[index] ?? '');
  const made = [...ids.keys()].filter((index) => !isAllowed(index) || isWanted(ids[index] ?? ''));
  const pairs = expectation.orderDependent
    ? pairByPosition(wanted, made, ids, isAllowed)
    : (pairPlainly(wanted, made, ids) ?? pairBest(wanted, made, ids, fit));
  const paired = new Set(pairs.map((pair) => pair.expectedIndex));
  const used = new Set(pairs.map((pair) => pair.actualIndex));
  const rest = [...ids.keys()].filter((index) => !used.has(index));
  return {
    pairs,
    unmatched: [...wanted.keys()].filter((index) => !paired.has(index)),
    leftOver: rest.filter((index) => !isAllowed(index)),
    allowed: rest.filter(isAllowed),
  };
}

/**
 * The matching as rows for display: expected calls in order, then actual calls without a partner in
 * order.
 */
export function toCallMatches(matching: Matching): CallMatch[] {
  const rows: CallMatch[] = [
    ...matching.pairs.map((pair) => ({ ...pair, allowed: false })),
    ...matching.unmatched.map((expectedIndex) => ({
      expectedIndex,
      actualIndex: null,
      toolId: null,
      allowed: false,
    })),
  ].sort((a, b) => a.expectedIndex - b.expectedIndex);
  const others = [...matching.leftOver, ...matching.allowed].sort((a, b) => a - b);
  const allowed = new Set(matching.allowed);
  return [
    ...rows,
    ...others.map((actualIndex) => ({
      expectedIndex: null,
      actualIndex,
      toolId: null,
      allowed: allowed.has(actualIndex),
    })),
  ];
}
