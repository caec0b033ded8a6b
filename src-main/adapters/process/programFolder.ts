import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { errorCode, errorText } from '../../../src-shared/domain/errorText.ts';
import { listProcesses, readNamespace, readStat } from './processTable.ts';
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

/**
 * Removes a folder with all that a program left there. Returns why that failed, or null: the next
 * start tries again.
 */
export async function removeProgramFolder(folder: string): Promise<string | null> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  try {
    await remove().catch(async (error: unknown) => {
      if (!hindrances.has(errorCode(error) ?? '')) throw error;
      await clear(folder);
      await remove();
    });
    return null;
  } catch (error) {
    return errorText(error);
  }
}

/**
 * Folders whose paths have so many bytes more than that of the top can still be read, and what is in
 * them renamed, on each system: a Mac takes paths of 1,024 bytes, and a name has up to 255.
 */
const maxPathBytes = 500;

/** What a program can leave in the way of those who remove its files. */
const hindrances: ReadonlySet<string> = new Set(['ENAMETOOLONG', 'EACCES', 'EPERM']);

/**
 * Moves folders that are too deep to be named by a path up to the top, and makes each one writable: a
 * program can nest folders deeper than any path that a system takes, and caches of packages are
 * often read-only. Names are bytes, which need not be a text. The removal that failed may still be at
 * work elsewhere in the folder, so that what was just listed can be gone.
 */
async function clear(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const queue = [Buffer.from(folder)];
  for (const path of queue)
    await unlessGone(async () => {
      for (const entry of await readdir(path, { withFileTypes: true, encoding: 'buffer' }))
        if (entry.isDirectory())
          await unlessGone(async () => {
            const below = Buffer.concat([path, Buffer.from(sep), entry.name]);
            await chmod(below, 0o700);
            if (below.length <= Buffer.byteLength(folder) + maxPathBytes) {
              queue.push(below);
              return;
            }
            // A name that nothing in it has.
            const top = Buffer.from(join(folder, randomUUID()));
            await rename(below, top);
            queue.push(top);
          });
    });
}

async function unlessGone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Removes this user's folders whose owner is dead. Returns how many it found, and what stays why. */
export async function removeLeftFolders(): Promise<{ found: number; left: string[] }> {
  const own = ownNamespace();
  const named = (await readdir(tmpdir())).flatMap((name) => {
    const [, namespace, pid, startTime] = folderName.exec(name) ?? [];
    return namespace === own && pid !== undefined ? [{ name, pid, startTime }] : [];
  });
  if (named.length === 0) return { found: 0, left: [] };
  const isLinux = process.platform === 'linux';
  // One process is read for each folder where that is cheap, not each process of the machine.
  const rows = isLinux
    ? named.flatMap(({ pid }) => readStat(Number(pid)) ?? [])
    : await listProcesses();
  let found = 0;
  const left: string[] = [];
  for (const { name, pid, startTime } of named) {
    const isOwned =
      rows.length === 0 && !isLinux
        ? isRunning(Number(pid))
        : rows.some(
            (row) => row.pid === Number(pid) && (startTime === '0' || row.startTime === startTime),
          );
    const folder = join(tmpdir(), name);
    const entry = await lstat(folder).catch(() => null);
    if (isOwned || entry?.isDirectory() !== true || entry.uid !== (process.getuid?.() ?? entry.uid))
      continue;
    const fault = await removeProgramFolder(folder);
    found += 1;
    if (fault !== null) left.push(`${folder} (${fault})`);
  }
  return { found, left };
}

/** Windows lists no processes here, but tells whether one runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
