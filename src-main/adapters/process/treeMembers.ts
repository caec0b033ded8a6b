import { orElse } from '../../../src-shared/domain/orElse.ts';
import {
  listProcesses,
  readFolder,
  readLinuxMarks,
  readMarks,
  readRows,
  readStat,
  type ProcessMarks,
  type ProcessRow,
} from './processTable.ts';
import { belongsTo } from './runId.ts';
import { runAtOnce } from './systemTurns.ts';

export interface TreeMark {
  /** Decides by what a process was started with. */
  isMarked(marks: ProcessMarks): boolean;
  /** Process groups of which every member belongs to the tree. */
  groups: readonly number[];
  /**
   * The first processes of the groups, with their start, because pids are reused.
   */
  roots: readonly { pid: number; startTime: string }[];
  /** A folder that was created for the tree alone. */
  folder?: string | null;
}

/** Recognizes the processes of some trees and of the trees inside them. */
export function markedBy(
  runIds: readonly string[],
  tags: readonly (bigint | null)[],
): TreeMark['isMarked'] {
  const wanted = new Set(tags.filter((tag) => tag !== null));
  return ({ runId, lockLimit }) =>
    (runId !== null && runIds.some((each) => belongsTo(runId, each))) ||
    [lockLimit?.soft, lockLimit?.hard].some((value) => value != null && wanted.has(value));
}

/**
 * Every live process of a tree: members of its groups, processes that left them with setsid but
 * carry its tag or run id or work in its folder, and the descendants of all of these.
 */
export async function findMembers(mark: TreeMark): Promise<ProcessRow[]> {
  const rows = (await listProcesses()).filter((row) => isPossible(row, mark));
  return selectMembers(mark, rows, await readMarks(rows.map(({ pid }) => pid)));
}

/** The same without a pause, for the exit of this program. Linux only; empty elsewhere. */
export function findMembersAtOnce(mark: TreeMark): ProcessRow[] {
  if (process.platform !== 'linux') return [];
  const rows = runAtOnce(readRows()).filter((row) => isPossible(row, mark));
  return selectMembers(mark, rows, runAtOnce(readLinuxMarks(rows.map(({ pid }) => pid))));
}

function selectMembers(
  mark: TreeMark,
  rows: readonly ProcessRow[],
  marks: ReadonlyMap<number, ProcessMarks>,
): ProcessRow[] {
  const reused = new Set(
    mark.roots
      .filter((root) =>
        rows.some((row) => row.pid === root.pid && row.startTime !== root.startTime),
      )
      .map((root) => root.pid),
  );
  const groups = new Set(mark.groups.filter((group) => !reused.has(group)));
  const members = new Map<number, ProcessRow>();
  for (const row of rows) {
    const own = marks.get(row.pid);
    const isMember =
      groups.has(row.group) ||
      (own !== undefined && mark.isMarked(own)) ||
      (mark.folder != null && isWithin(row.pid, mark.folder));
    if (isMember) members.set(row.pid, row);
  }
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows) {
      if (members.has(row.pid) || !members.has(row.ppid)) continue;
      members.set(row.pid, row);
      grown = true;
    }
  }
  return [...members.values()];
}

function isWithin(pid: number, folder: string): boolean {
  const at = readFolder(pid);
  return (
    at !== null &&
    (at === folder || at.startsWith(`${folder}/`) || at.startsWith(`${folder} (deleted)`))
  );
}

/** No member is older than the root of the tree. This skips the marks of most processes. */
function isPossible(row: ProcessRow, { roots }: TreeMark): boolean {
  const isOlder =
    process.platform === 'linux' &&
    roots.length > 0 &&
    roots.every((root) => Number(row.startTime) < Number(root.startTime));
  return row.pid !== process.pid && !isOlder;
}

/**
 * Sends a signal to a process that was listed before, unless another one has its pid by now. A
 * process that is gone, or belongs to another user, is no error.
 */
export function signalMember({ pid, startTime }: ProcessRow, signal: NodeJS.Signals): void {
  if (process.platform === 'linux' && readStat(pid)?.startTime !== startTime) return;
  sendSignal(pid, signal);
}

/**
 * Returns true if the signal was sent. A process that is gone, or belongs to another user, is no
 * error.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  return orElse(() => process.kill(pid, signal), false);
}
