import { openKernel } from './kernel.ts';

/**
 * Which tools have each feature: those of feature t are the places `starts[t]` to `starts[t + 1]`,
 * ascending, with the feature's weight in them.
 */
export interface FeatureLists {
  readonly starts: Int32Array;
  readonly tools: Int32Array;
  readonly weights: Float32Array;
}

/**
 * Such lists in shared memory, and for each tool the lists that it walks, from behind its own place
 * to their ends: what follows there is a later tool. Before them stands a strip of sums for each
 * thread.
 */
export interface ListSpace {
  readonly count: number;
  readonly threads: number;
  readonly memory: WebAssembly.Memory;
  /** Address of the first list that each tool walks; the next one's is its end. */
  readonly walks: Uint32Array;
}

const pageBytes = 65_536;
/** The first word counts the threads that have taken a strip. */
const headBytes = 64;

const stripAt = (count: number, strip: number): number =>
  headBytes + strip * count * Float32Array.BYTES_PER_ELEMENT;

/**
 * Lays out the lists that are `wanted` (by feature) of `count` tools, for at most so many threads.
 */
export function layOutLists(
  count: number,
  lists: FeatureLists,
  wanted: (feature: number) => boolean,
  threads: number,
): ListSpace {
  const { starts, tools } = lists;
  const walked = new Uint32Array(count);
  let members = 0;
  const chosen: number[] = [];
  for (let feature = 0; feature + 1 < starts.length; feature += 1) {
    const [from, to] = [starts[feature] ?? 0, starts[feature + 1] ?? 0];
    // A list of one tool adds to no pair.
    if (to - from < 2 || !wanted(feature)) continue;
    chosen.push(feature);
    members += to - from;
    for (let at = from; at + 1 < to; at += 1)
      walked[tools[at] ?? 0] = (walked[tools[at] ?? 0] ?? 0) + 1;
  }
  const firstMember = stripAt(count, threads);
  const walks = new Uint32Array(new SharedArrayBuffer((count + 1) * Uint32Array.BYTES_PER_ELEMENT));
  walks[0] = firstMember + members * memberBytes;
  for (let tool = 0; tool < count; tool += 1)
    walks[tool + 1] = (walks[tool] ?? 0) + (walked[tool] ?? 0) * walkBytes;
  const pages = Math.ceil((walks[count] ?? 0) / pageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  write(memory, lists, chosen, firstMember, walks.slice());
  return { count, threads, memory, walks };
}

/**
 * `next` holds where the next list that each tool walks is noted. All addresses are multiples of
 * four.
 */
function write(
  { buffer }: WebAssembly.Memory,
  { starts, tools, weights }: FeatureLists,
  chosen: readonly number[],
  firstMember: number,
  next: Uint32Array,
): void {
  const [words, numbers] = [new Uint32Array(buffer), new Float32Array(buffer)];
  let address = firstMember;
  for (const feature of chosen) {
    const [from, to] = [starts[feature] ?? 0, starts[feature + 1] ?? 0];
    const end = address + (to - from) * memberBytes;
    for (let at = from; at < to; at += 1) {
      const tool = tools[at] ?? 0;
      words[address >> 2] = tool * Float32Array.BYTES_PER_ELEMENT;
      numbers[(address >> 2) + 1] = weights[at] ?? 0;
      address += memberBytes;
      if (address === end) break;
      const walk = next[tool] ?? 0;
      words[walk >> 2] = address;
      words[(walk >> 2) + 1] = end;
      numbers[(walk >> 2) + 2] = weights[at] ?? 0;
      next[tool] = walk + walkBytes;
    }
  }
}

/** Sums of one tool after another. */
export interface ListSums {
  /** One place a tool. */
  readonly sums: Float32Array;
  /** Adds the products of a tool with every later one to `sums`. */
  add: (tool: number) => void;
}

export function openLists({ count, threads, memory, walks }: ListSpace): ListSums {
  const strip = Atomics.add(new Int32Array(memory.buffer, 0, 1), 0, 1);
  if (strip >= threads)
    throw new Error('More threads work on the lists than they were laid out for.');
  const walk = openWalk(memory);
  const sums = stripAt(count, strip);
  return {
    sums: new Float32Array(memory.buffer, sums, count),
    add(tool) {
      const [first, end] = [walks[tool] ?? 0, walks[tool + 1] ?? 0];
      if (first < end) walk(first, end, sums);
    },
  };
}

/**
 * One member of a list: where its tool's sum is, counted in bytes from the first sum, and its
 * weight.
 */
const memberBytes = 8;
/**
 * One list that a tool walks: the addresses of its first member and of its end, and the weight that
 * the tool itself has in it.
 */
const walkBytes = 12;

/**
 * Walks the lists from `first` to `end` (there is at least one, and none is empty) and adds weight
 * × weight to the sums.
 */
type RunWalk = (first: number, end: number, sums: number) => void;

/**
 * The walk on a shared memory. Adding to sums that are spread over the memory takes half the time
 * here that it takes in JavaScript, which checks every index.
 */
const openWalk = (memory: WebAssembly.Memory): RunWalk => openKernel('listWalk', memory);
