import type { YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import { scoreSteps, tableError, type PairTable } from './pairTable.ts';

/** An edge of the maximum spanning tree over the scores. */
interface Join {
  a: number;
  b: number;
  /** Score in steps. */
  strength: number;
}

/**
 * Tools in an order that puts similar ones next to each other, with the strength of each link to
 * its predecessor.
 */
export interface ClusterOrder {
  order: number[];
  /**
   * Score 0–1 at which the tool at this position joins the group of its predecessor; 0 for the
   * first.
   */
  joins: number[];
}

/**
 * Leaf order of a single-linkage tree: the strongest joins come first, and the smaller of two
 * joined groups is turned and appended at its nearer end. Deterministic: equal joins follow the
 * order of the tools. Reads only the table and stores nothing per pair. Yields between tools.
 * Source: docs/rules.md §4.
 */
export async function clusterOrder(
  table: PairTable,
  yieldIfDue: YieldIfDue = () => undefined,
): Promise<ClusterOrder> {
  const tree =
    table.floor === 0
      ? await strongestTree(table, yieldIfDue)
      : await strongestForest(table, yieldIfDue);
  const joins = tree.sort((x, y) => y.strength - x.strength || x.a - y.a || x.b - y.b);
  const groups = new Groups(table.count);
  const linked = new Map<string, number>();
  // When a group is turned later, its neighbors are reversed.
  const key = (x: number, y: number): string => `${Math.min(x, y)}.${Math.max(x, y)}`;
  for (const { a, b, strength } of joins)
    groups.join(a, b, (left, right) => linked.set(key(left, right), strength), table);
  const order = groups.inOrder();
  return {
    order,
    joins: order.map((tool, at) =>
      at === 0 ? 0 : (linked.get(key(order[at - 1] ?? 0, tool)) ?? 0) / scoreSteps,
    ),
  };
}

/**
 * Groups at a cut: tools connected by a chain of pairs with a score at or above it, largest
 * group first. Single tools are in no group.
 */
export function groupsAt({ order, joins }: ClusterOrder, cut: number): number[][] {
  const groups: number[][] = [];
  order.forEach((tool, at) => {
    const last = groups.at(-1);
    if (last && at > 0 && (joins[at] ?? 0) >= cut - tableError && (joins[at] ?? 0) > 0)
      last.push(tool);
    else groups.push([tool]);
  });
  return groups.filter(({ length }) => length > 1).sort((x, y) => y.length - x.length);
}

/** Prim's algorithm: from tool to tool along the strongest score to the tree so far. */
async function strongestTree(table: PairTable, yieldIfDue: YieldIfDue): Promise<Join[]> {
  const { count } = table;
  const best = new Int32Array(count).fill(-1);
  const from = new Int32Array(count);
  const inside = new Uint8Array(count);
  const joins: Join[] = [];
  for (let current = 0, left = count - 1; left > 0; left -= 1) {
    inside[current] = 1;
    let next = -1;
    for (let tool = 0; tool < count; tool += 1) {
      if (inside[tool] === 1) continue;
      const score = table.get(current, tool);
      if (score > (best[tool] ?? -1)) {
        best[tool] = score;
        from[tool] = current;
      }
      if (next < 0 || (best[tool] ?? -1) > (best[next] ?? -1)) next = tool;
    }
    joins.push({ a: from[next] ?? 0, b: next, strength: best[next] ?? 0 });
    current = next;
    await yieldIfDue();
  }
  return joins;
}

/** Rows of kept pairs that are read between two looks at the clock. */
const rowsAtOnce = 50;
const pairsAtOnce = 10_000;

/** Kruskal's algorithm over the kept pairs; groups without a connection follow each other. */
async function strongestForest(table: PairTable, yieldIfDue: YieldIfDue): Promise<Join[]> {
  const pairs: Join[] = [];
  for (let row = 0; row < table.count; row += rowsAtOnce) {
    table.each((a, b, strength) => pairs.push({ a, b, strength }), row, row + rowsAtOnce);
    await yieldIfDue();
  }
  const root = Int32Array.from({ length: table.count }, (_, tool) => tool);
  const find = (tool: number): number => {
    let at = tool;
    while (root[at] !== at) at = root[at] = root[root[at] ?? at] ?? at;
    return at;
  };
  const tree: Join[] = [];
  for (const [done, at] of byStrength(pairs).entries()) {
    if (done % pairsAtOnce === 0) await yieldIfDue();
    const pair = pairs[at];
    if (pair === undefined) continue;
    const [x, y] = [find(pair.a), find(pair.b)];
    root[x] = y;
    if (x !== y) tree.push(pair);
  }
  return tree;
}

/**
 * The places of pairs by descending strength, ties in the given order. Whole numbers are sorted
 * without a call for each comparison: half a million in 0.1 s.
 */
function byStrength(pairs: readonly Join[]): Uint32Array {
  const keys = new BigUint64Array(pairs.length);
  // The lower half of each number comes first in memory.
  const halves = new Uint32Array(keys.buffer);
  pairs.forEach(({ strength }, at) => halves.set([at, scoreSteps - strength], 2 * at));
  keys.sort();
  return halves.filter((_, at) => at % 2 === 0);
}

class Groups {
  readonly #of: number[][];

  constructor(count: number) {
    this.#of = Array.from({ length: count }, (_, tool) => [tool]);
  }

  /** Turns both groups so that their nearest ends meet. */
  join(a: number, b: number, link: (left: number, right: number) => void, table: PairTable): void {
    const [one, two] = [this.#of[a] ?? [], this.#of[b] ?? []];
    if (one === two) return;
    const [large, small] = one.length >= two.length ? [one, two] : [two, one];
    const near = (x: number | undefined, y: number | undefined): number =>
      table.get(x ?? 0, y ?? 0);
    const tail = large.at(-1);
    const [first, last] = [small[0], small.at(-1)];
    if (near(tail, first) < near(tail, last)) small.reverse();
    link(tail ?? 0, small[0] ?? 0);
    for (const tool of small) {
      large.push(tool);
      this.#of[tool] = large;
    }
  }

  inOrder(): number[] {
    return [...new Set(this.#of)].flat();
  }
}
