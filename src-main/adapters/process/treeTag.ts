/**
 * A mark on every process of a tree that no daemon sheds. Linux hands resource limits on through
 * fork and exec, and the limit on file locks (RLIMIT_LOCKS) has had no meaning since Linux 2.4.
 * Its value is therefore free to carry a number: which program started the tree, and which of its
 * trees it is. A process that leaves its session, forks twice, clears its environment, changes its
 * folder and closes its files still has it, and a stranger's process has no limit at all there.
 */
import { readFileSync } from 'node:fs';
import { parseLockLimit, type LockLimit, type ProcessMarks } from './processTable.ts';
import { ownerOf, parseRunId, thisOwner, type RunIdOwner } from './runId.ts';
import type { TreeMark } from './treeMembers.ts';

/**
 * The highest 11 of 63 bits say that a limit is a tag. A program inside a tree may only lower its
 * limits, so each level of nesting has a lower value.
 */
const outermostMagic = 0x5b7n;
const maxDepth = 15n;
const [pidBits, startBits, countBits] = [22n, 16n, 14n];
const restBits = pidBits + startBits + countBits;

/** A tag for the tree with this new run id; null if no number is left for it. */
export function createTag(
  runId: string,
  own: LockLimit | null = readOwnLockLimit(),
): bigint | null {
  const id = parseRunId(runId);
  const outer = own?.soft ?? null;
  const depth =
    outer === null || ownerOfTag(outer) === null ? 0n : outermostMagic - (outer >> restBits) + 1n;
  if (id === null || depth > maxDepth) return null;
  return (
    ((outermostMagic - depth) << restBits) |
    (bits(id.owner.pid, pidBits) << (startBits + countBits)) |
    (bits(Number(id.owner.startTime), startBits) << countBits) |
    bits(id.count, countBits)
  );
}

function readOwnLockLimit(): LockLimit | null {
  return process.platform === 'linux'
    ? parseLockLimit(readFileSync('/proc/self/limits', 'utf8'))
    : null;
}

const bits = (value: number, size: bigint): bigint => BigInt.asUintN(Number(size), BigInt(value));

/** The process that set a limit as a tag; null if the value is no tag. */
export function ownerOfTag(value: bigint): RunIdOwner | null {
  const magic = value >> restBits;
  if (magic > outermostMagic || magic < outermostMagic - maxDepth) return null;
  const rest = value & ((1n << restBits) - 1n);
  return {
    pid: Number(rest >> (startBits + countBits)),
    startTime: String((rest >> countBits) & ((1n << startBits) - 1n)),
  };
}

/** Returns true if this owner set the tag, or one whose start has the same lowest bits. */
export function hasSetTag({ pid, startTime }: RunIdOwner, value: bigint): boolean {
  const owner = ownerOfTag(value);
  return owner?.pid === pid && String(bits(Number(startTime), startBits)) === owner.startTime;
}

/** The tags among the limits of a process, with that of the outermost tree last. */
export function tagsIn({ lockLimit }: ProcessMarks): bigint[] {
  return [lockLimit?.soft, lockLimit?.hard].flatMap((value) =>
    value != null && ownerOfTag(value) !== null ? [value] : [],
  );
}

/** Recognizes what is left of any tree that this process has ever started. */
export function ownTrees(): TreeMark {
  const owner = thisOwner();
  return {
    isMarked: (marks) => {
      const named = marks.runId === null ? null : ownerOf(marks.runId);
      return (
        (named?.pid === owner.pid && named.startTime === owner.startTime) ||
        tagsIn(marks).some((tag) => hasSetTag(owner, tag))
      );
    },
    groups: [],
    roots: owner.startTime === '0' ? [] : [owner],
  };
}
