import { emptyWithin, hastyGraces, killAll, signalAll, type Graces } from './endTree.ts';
import { listProcesses, readCommand, readRunIds } from './processTable.ts';
import { isAlive, ownerOf, RUN_ID_PREFIX } from './runId.ts';
import type { TreeMark } from './treeMembers.ts';

/**
 * A process of a tree whose owner is dead, because the program was killed before it could end the
 * tree.
 */
export interface Leftover {
  pid: number;
  group: number;
  runId: string;
  /** Its command line, as the system lists it. */
  command: string;
}

/**
 * Finds leftovers by the run ids in the environments of this user's processes. Children of a
 * running copy of this program are none. Finds nothing on Windows, which hides environments.
 */
export async function findLeftovers(runIdPrefix: string = RUN_ID_PREFIX): Promise<Leftover[]> {
  const rows = await listProcesses();
  const runIds = await readRunIds(rows.map(({ pid }) => pid));
  const found = await Promise.all(
    rows.map(async (row): Promise<Leftover | null> => {
      const runId = runIds.get(row.pid);
      if (runId === undefined || row.pid === process.pid || !runId.startsWith(runIdPrefix))
        return null;
      const owner = ownerOf(runId);
      if (owner === null || (await isAlive(owner))) return null;
      return { pid: row.pid, group: row.group, runId, command: await readCommand(row.pid) };
    }),
  );
  return found.filter((row) => row !== null).sort((one, other) => one.pid - other.pid);
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
  const runIds = [...new Set(leftovers.map((row) => row.runId))];
  // Without groups on purpose: their ids may have been reused since the list was made, while run
  // ids never are.
  const mark: TreeMark = { runIds, groups: [], roots: [] };
  await signalAll(mark, 'SIGTERM');
  if ((await emptyWithin(mark, graces.termMs)) || (await killAll(mark, graces.killMs))) return [];
  const left = await findLeftovers();
  return left.filter((row) => runIds.includes(row.runId));
}
