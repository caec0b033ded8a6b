import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import { listProcesses, readNamespace } from './processTable.ts';
import { thisOwner } from './runId.ts';

/**
 * A folder for one program. Its name tells whose it is, so that the next start can remove it if
 * this program is killed.
 */
export async function createProgramFolder(): Promise<string> {
  const { pid, startTime } = thisOwner();
  const prefix = `touchstone-run-${ownNamespace()}-${pid}-${startTime}-`;
  return realpath(await mkdtemp(join(tmpdir(), prefix)));
}

const folderName = /^touchstone-run-(\d+)-(\d+)-(\d+)-\w{6}$/;

/** The number of the PID namespace: two containers can share a folder, but not numbers. */
function ownNamespace(): string {
  return /\d+/.exec(readNamespace(process.pid) ?? '')?.[0] ?? '0';
}

/** Removes a folder with all that a program left there. It is no error if that fails. */
export async function removeProgramFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
    () => undefined,
  );
}

/** Removes this user's folders whose owner is dead, and returns how many it found. */
export async function removeLeftFolders(): Promise<number> {
  const named = (await readdir(tmpdir())).flatMap((name) => {
    const [, namespace, pid, startTime] = folderName.exec(name) ?? [];
    return namespace === ownNamespace() && pid !== undefined ? [{ name, pid, startTime }] : [];
  });
  if (named.length === 0) return 0;
  const rows = await listProcesses();
  let count = 0;
  for (const { name, pid, startTime } of named) {
    const isOwned =
      rows.length === 0
        ? isRunning(Number(pid))
        : rows.some(
            (row) => row.pid === Number(pid) && (startTime === '0' || row.startTime === startTime),
          );
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => null);
    if (isOwned || found?.isDirectory() !== true || found.uid !== (process.getuid?.() ?? found.uid))
      continue;
    await removeProgramFolder(folder);
    count += 1;
  }
  return count;
}

/** Windows lists no processes here, but tells whether one runs. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
