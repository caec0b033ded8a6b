import { emptyWithin, hastyGraces, killAll, signalAll, type Graces } from './endTree.ts';
import { listProcesses, readCommand, readRunIds } from './processTable.ts';
import { isAlive, ownerOf, RUN_ID_PREFIX } from './runId.ts';
import type { TreeMark } from './treeMembers.ts';

/**
 * A process of a tree whose owner is dead: this program was killed before it could take the tree
 * down.
 */
export interface Leftover {
  pid: number;
  group: number;
  runId: string;
  /** Its command line as the system shows it. */
  command: string;
}

/**
 * Looks through the environments of this user's processes; a child of a running copy of this
 * program is never a leftover. Windows shows no foreign environment: there it finds nothing.
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
 * Ends them and their descendants: SIGTERM, a grace, SIGKILL. Gives back those that are still
 * there.
 */
export async function endLeftovers(
  leftovers: readonly Leftover[],
  graces: Graces = hastyGraces,
): Promise<Leftover[]> {
  if (leftovers.length === 0) return [];
  const runIds = [...new Set(leftovers.map((row) => row.runId))];
  // Groups are left out on purpose: their numbers may have been given out anew since the list was
  // made, run ids never are.
  const mark: TreeMark = { runIds, groups: [], roots: [] };
  await signalAll(mark, 'SIGTERM');
  if ((await emptyWithin(mark, graces.termMs)) || (await killAll(mark, graces.killMs))) return [];
  const left = await findLeftovers();
  return left.filter((row) => runIds.includes(row.runId));
}
