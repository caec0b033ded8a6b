import { listProcesses, readFolder, readRunIds, type ProcessRow } from './processTable.ts';
import { belongsTo } from './runId.ts';

/** How the processes of a tree are recognized. */
export interface TreeMark {
  runIds: readonly string[];
  /** Process groups of which every member belongs to the tree. */
  groups: readonly number[];
  /**
   * The first processes of the groups, with their start, because pids are reused.
   */
  roots: readonly { pid: number; startTime: string }[];
  /** A folder that was created for the tree alone. */
  folder?: string | null;
}

export interface TreeMember extends ProcessRow {
  runId: string | null;
}

/**
 * Every live process of a tree: members of its groups, processes that left them with setsid but
 * carry its run id or work in its folder, and the descendants of all of these, because a child may
 * clear its environment.
 */
export async function findMembers(mark: TreeMark): Promise<TreeMember[]> {
  const rows = (await listProcesses()).filter(
    (row) => row.pid !== process.pid && !isOlder(row, mark.roots),
  );
  const reused = new Set(
    mark.roots
      .filter((root) =>
        rows.some((row) => row.pid === root.pid && row.startTime !== root.startTime),
      )
      .map((root) => root.pid),
  );
  const groups = new Set(mark.groups.filter((group) => !reused.has(group)));
  const members = new Map<number, TreeMember>();
  const runIds = await readRunIds(rows.map(({ pid }) => pid));
  for (const row of rows) {
    const runId = runIds.get(row.pid) ?? null;
    const marked = runId !== null && mark.runIds.some((wanted) => belongsTo(runId, wanted));
    const inFolder = mark.folder != null && (await isWithin(row.pid, mark.folder));
    if (marked || inFolder || groups.has(row.group)) members.set(row.pid, { ...row, runId });
  }
  for (let grown = true; grown;) {
    grown = false;
    for (const row of rows) {
      if (members.has(row.pid) || !members.has(row.ppid)) continue;
      members.set(row.pid, { ...row, runId: null });
      grown = true;
    }
  }
  return [...members.values()];
}

async function isWithin(pid: number, folder: string): Promise<boolean> {
  const at = await readFolder(pid);
  return (
    at !== null &&
    (at === folder || at.startsWith(`${folder}/`) || at.startsWith(`${folder} (deleted)`))
  );
}

/** No member is older than the root of the tree. This skips most environments. */
function isOlder(row: ProcessRow, roots: TreeMark['roots']): boolean {
  return (
    process.platform === 'linux' &&
    roots.length > 0 &&
    roots.every((root) => Number(row.startTime) < Number(root.startTime))
  );
}

/**
 * Returns true if the signal was sent. A process that is gone, or belongs to another user, is no
 * error.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
