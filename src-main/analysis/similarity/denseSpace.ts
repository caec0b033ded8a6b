import { openKernel } from './kernel.ts';

/**
 * Unit vectors in shared memory, each padded with zeros to `stride` values, followed by one output
 * strip per thread.
 */
export interface DenseSpace {
  readonly count: number;
  readonly dimensions: number;
  readonly stride: number;
  readonly memory: WebAssembly.Memory;
}

/** Maximum number of threads on one space. */
const maxThreads = 64;
/**
 * Tools whose products are computed at once, and how many of the others stay in the cache
 * meanwhile.
 */
export const blockRows = 16;
const blockColumns = 64;
const pageBytes = 65_536;
/** The first words count the threads that have taken a strip. */
const headBytes = 64;

const paddedCount = (count: number): number => Math.ceil(count / tileColumns) * tileColumns;
const stripBytes = (count: number): number => blockRows * paddedCount(count) * 4;
const stripAt = (space: DenseSpace, strip: number): number =>
  headBytes + paddedCount(space.count) * space.stride * 4 + strip * stripBytes(space.count);

/**
 * Normalizes vectors to length 1 and lays them out. A zero vector stays zero and is similar to
 * nothing. Throws RangeError if vectors differ in length, are empty, or contain a value that isn't
 * finite.
 */
export function layOutVectors(vectors: readonly ArrayLike<number>[], threads: number): DenseSpace {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0) throw new RangeError('A vector is empty.');
  const space = reserveVectors(vectors.length, dimensions, threads);
  vectors.forEach((vector, at) => {
    if (vector.length !== dimensions)
      throw new RangeError(
        `Vector ${at + 1} has ${vector.length} values, the first has ${dimensions}.`,
      );
    writeUnit(vectorOf(space, at), vector, at);
  });
  return space;
}

/** Space for vectors that the caller fills in, initially all zeros. */
export function reserveVectors(count: number, dimensions: number, threads: number): DenseSpace {
  const stride = Math.ceil(dimensions / tileStep) * tileStep;
  const bytes =
    headBytes + paddedCount(count) * stride * 4 + Math.min(threads, maxThreads) * stripBytes(count);
  const pages = Math.ceil(bytes / pageBytes);
  return {
    count,
    dimensions,
    stride,
    memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }),
  };
}

function writeUnit(target: Float32Array, vector: ArrayLike<number>, at: number): void {
  let squares = 0;
  for (let place = 0; place < vector.length; place += 1) squares += (vector[place] ?? 0) ** 2;
  if (!Number.isFinite(squares))
    throw new RangeError(`Vector ${at + 1} contains a value that isn't a finite number.`);
  const length = Math.sqrt(squares);
  if (length > 0)
    for (let place = 0; place < vector.length; place += 1)
      target[place] = (vector[place] ?? 0) / length;
}

/** The values of one vector, without padding. */
export function vectorOf(space: DenseSpace, at: number): Float32Array {
  return new Float32Array(space.memory.buffer, headBytes + at * space.stride * 4, space.dimensions);
}

/**
 * Cosine of two vectors of the space, summed in double precision; not clamped. Equal vectors have
 * exactly 1, which the sum may miss; zero vectors are similar to nothing.
 */
export function cosine(space: DenseSpace, a: number, b: number): number {
  const [left, right] = [vectorOf(space, a), vectorOf(space, b)];
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum > 0 && left.every((value, at) => value === right[at]) ? 1 : sum;
}

/** Products of one block of rows after another. The next block overwrites the returned rows. */
export function openProducts(space: DenseSpace) {
  const { count, stride, memory } = space;
  const strip = Atomics.add(new Int32Array(memory.buffer, 0, 1), 0, 1);
  const base = stripAt(space, strip);
  if (base + stripBytes(count) > memory.buffer.byteLength)
    throw new Error('More threads work on the vectors than they were laid out for.');
  const tile: RunTile = openTile(memory);
  const bytes = stride * 4;
  const outBytes = paddedCount(count) * 4;
  const vectorAt = (at: number): number => headBytes + at * bytes;
  return {
    /**
     * Computes the products of the tools from `first` (a multiple of `blockRows`) with themselves and
     * every later tool.
     */
    make(first: number): void {
      const rows = Math.min(blockRows, paddedCount(count) - first);
      for (let column = first; column < paddedCount(count); column += blockColumns) {
        const groups = Math.min(blockColumns, paddedCount(count) - column) / tileColumns;
        for (let row = 0; row < rows; row += tileRows)
          tile(
            vectorAt(first + row),
            vectorAt(column),
            groups,
            bytes,
            base + row * outBytes + column * 4,
            outBytes,
          );
      }
    },
    /**
     * The products of tool `first + row`, indexed by tool; only entries after the tool itself are
     * written.
     */
    row: (row: number): Float32Array =>
      new Float32Array(memory.buffer, base + row * outBytes, count),
  };
}
export type DenseProducts = ReturnType<typeof openProducts>;

/**
 * Vectors of each side that are multiplied at once: with these the sums stay in registers. The
 * shape is fixed in `simdTile.wat`.
 */
const tileRows = 2;
const tileColumns = 4;
/** Vectors are padded with zeros to a multiple of this length: the values of one step. */
const tileStep = 16;

/**
 * Products of `tileRows` vectors at `a` with `groups · tileColumns` vectors at `b`; the vectors are
 * `bytes` long, the rows of the answer `outBytes`.
 */
type RunTile = (
  a: number,
  b: number,
  groups: number,
  bytes: number,
  out: number,
  outBytes: number,
) => void;

/** The tile on a shared memory. */
const openTile = (memory: WebAssembly.Memory): RunTile => openKernel('simdTile', memory);
