/**
 * The value of pairing a row with a column: `value` decides, `rank` (smaller is earlier) breaks
 * ties. Null means that they can't be paired.
 */
export interface Worth {
  value: number;
  rank: number;
}

/**
 * Costs are compared by `major` first, then by `minor`. Both are whole numbers, so sums are exact.
 */
interface Costs {
  major: Float64Array;
  minor: Float64Array;
}

function costs(length: number): Costs {
  return { major: new Float64Array(length), minor: new Float64Array(length) };
}

/** An element of an array that is known to exist. */
function at(array: Float64Array | Int32Array, place: number): number {
  return array[place] ?? 0;
}

function change(cost: Costs, place: number, major: number, minor: number): void {
  cost.major[place] = at(cost.major, place) + major;
  cost.minor[place] = at(cost.minor, place) + minor;
}

function minCostRows(rows: number, columns: number, cost: Costs): Int32Array {
  const width = columns + 1;
  const u = costs(rows + 1);
  const v = costs(width);
  const rowOf = new Int32Array(width); // 1-based row in each column, 0 = free
  const came = new Int32Array(width);
  for (let row = 1; row <= rows; row += 1) {
    rowOf[0] = row;
    const least = {
      major: new Float64Array(width).fill(Infinity),
      minor: new Float64Array(width).fill(Infinity),
    };
    const used = new Uint8Array(width);
    let column = 0;
    do {
      used[column] = 1;
      const r = at(rowOf, column);
      let [next, major, minor] = [0, Infinity, Infinity];
      for (let c = 1; c < width; c += 1) {
        if (used[c] === 1) continue;
        const cell = (r - 1) * columns + (c - 1);
        const a = at(cost.major, cell) - at(u.major, r) - at(v.major, c);
        const b = at(cost.minor, cell) - at(u.minor, r) - at(v.minor, c);
        if (a < at(least.major, c) || (a === at(least.major, c) && b < at(least.minor, c))) {
          least.major[c] = a;
          least.minor[c] = b;
          came[c] = column;
        }
        if (
          at(least.major, c) < major ||
          (at(least.major, c) === major && at(least.minor, c) < minor)
        ) {
          [next, major, minor] = [c, at(least.major, c), at(least.minor, c)];
        }
      }
      for (let c = 0; c < width; c += 1) {
        if (used[c] === 1) {
          change(u, at(rowOf, c), major, minor);
          change(v, c, -major, -minor);
        } else change(least, c, -major, -minor);
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const previous = at(came, column);
      rowOf[column] = at(rowOf, previous);
      column = previous;
    }
  }
  const columnOf = new Int32Array(rows);
  for (let c = 1; c < width; c += 1) if (at(rowOf, c) > 0) columnOf[at(rowOf, c) - 1] = c - 1;
  return columnOf;
}

/**
 * One-to-one assignment of `rows` to `columns` with the greatest sum of values and, among those,
 * the smallest sum of ranks (Kuhn's Hungarian method with potentials, O(min² · max)). `worth` is
 * called once per pair; values are positive, and both numbers are whole. Returns the column of each
 * row, or null.
 */
export function assign(
  rows: number,
  columns: number,
  worth: (row: number, column: number) => Worth | null,
): (number | null)[] {
  const result: (number | null)[] = new Array<number | null>(rows).fill(null);
  if (rows === 0 || columns === 0) return result;
  const flip = rows > columns;
  const [short, long] = flip ? [columns, rows] : [rows, columns];
  const cost = costs(short * long);
  const possible = new Uint8Array(short * long);
  for (let s = 0; s < short; s += 1) {
    for (let l = 0; l < long; l += 1) {
      const found = flip ? worth(l, s) : worth(s, l);
      if (found === null) continue;
      const cell = s * long + l;
      possible[cell] = 1;
      cost.major[cell] = -found.value;
      cost.minor[cell] = found.rank;
    }
  }
  for (const [s, l] of minCostRows(short, long, cost).entries()) {
    // An impossible pair costs nothing, so a row without a partner ends up in any free column.
    if (possible[s * long + l] === 1) result[flip ? l : s] = flip ? s : l;
  }
  return result;
}
