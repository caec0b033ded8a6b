import { emptyWithin, hastyGraces, killAll, signalAll, type Graces } from './endTree.ts';
import {
  listProcesses,
  readCommand,
  readMarks,
  readNamespace,
  type ProcessMarks,
  type ProcessRow,
} from './processTable.ts';
import { ownerOf } from './runId.ts';
import { markedBy, type TreeMark } from './treeMembers.ts';
import { hasSetTag, tagsIn } from './treeTag.ts';

/**
 * A process of a tree whose owner is dead, because the program was killed before it could end the
 * tree.
 */
export interface Leftover {
  pid: number;
  group: number;
  /** Null if the process cleared its environment. */
  runId: string | null;
  /** The tags of dead owners. */
  tags: readonly bigint[];
  /** Its command line, as the system lists it. */
  command: string;
}

/**
 * Finds leftovers by the run ids and tags of this user's processes. Children of a running copy of
 * this program are none. Finds nothing on Windows, which hides environments.
 */
export async function findLeftovers(
  isWanted: (marks: ProcessMarks) => boolean = () => true,
): Promise<Leftover[]> {
  const rows = await listProcesses();
  const marks = await readMarks(rows.map(({ pid }) => pid));
  const found = rows.flatMap((row): { row: ProcessRow; dead: DeadMarks }[] => {
    const own = marks.get(row.pid);
    if (own === undefined || row.pid === process.pid || !isWanted(own)) return [];
    const dead = deadMarks(own, rows);
    return dead === null || isElsewhere(row.pid) ? [] : [{ row, dead }];
  });
  return Promise.all(
    found
      .sort((one, other) => one.row.pid - other.row.pid)
      .map(async ({ row: { pid, group }, dead }) => ({
        pid,
        group,
        ...dead,
        command: await readCommand(pid),
      })),
  );
}

type DeadMarks = Pick<Leftover, 'runId' | 'tags'>;

/** The marks whose owners are dead; null if there is none. */
function deadMarks(marks: ProcessMarks, rows: readonly ProcessRow[]): DeadMarks | null {
  const owner = marks.runId === null ? null : ownerOf(marks.runId);
  const isOwned =
    owner === null ||
    rows.some(
      ({ pid, startTime }) =>
        pid === owner.pid && (owner.startTime === '0' || owner.startTime === startTime),
    );
  const tags = tagsIn(marks).filter((tag) => !rows.some((row) => hasSetTag(row, tag)));
  return isOwned && tags.length === 0 ? null : { runId: isOwned ? null : marks.runId, tags };
}

/** The marks of a process in a container name owners there, which this program can't see. */
function isElsewhere(pid: number): boolean {
  return readNamespace(pid) !== readNamespace(process.pid);
}

/**
 * Ends leftovers and their descendants with SIGTERM, then SIGKILL. Returns those that are still
 * running.
 */
export async function endLeftovers(
  leftovers: readonly Leftover[],
  graces: Graces = hastyGraces,
): Promise<Leftover[]> {
  if (leftovers.length === 0) return [];
  const isMarked = markedBy(
    leftovers.flatMap(({ runId }) => runId ?? []),
    leftovers.flatMap(({ tags }) => tags),
  );
  // Without groups on purpose: their ids may have been reused since the list was made, while run
  // ids and tags never are.
  const mark: TreeMark = { isMarked, groups: [], roots: [] };
  await signalAll(mark, 'SIGTERM');
  if ((await emptyWithin(mark, graces.termMs)) || (await killAll(mark, graces.killMs))) return [];
  return findLeftovers(isMarked);
}
