import { constants, openSync, rmSync } from 'node:fs';
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import { isRunning } from '../../adapters/process/programFolder.ts';
import { ReadOnlyTarget } from '../../runtime/fileProblem.ts';

/** A text, or its parts as they are produced. If producing them fails, nothing is written. */
export type Content = string | AsyncIterable<string>;

/**
 * Writes a file completely or not at all, however the program ends: the content goes to a temporary
 * file in the same folder, which then replaces the target. Pipes and devices are written to
 * directly. Throws the system's error, or ReadOnlyTarget.
 */
export async function writeFileAtomically(file: string, content: Content): Promise<void> {
  const { target, mode, temporary, isPipe } = await resolveTarget(file);
  if (isPipe) {
    await writeToPipe(target, content);
    return;
  }
  if (temporary === null) {
    await writeAndSync(target, content, 'w', mode);
    return;
  }
  await withTemporaryFile(temporary, async () => {
    await writeAndSync(temporary, content, 'wx', mode);
    await rename(temporary, target);
  });
}

/**
 * Throws if the file could not be written, so that a long computation does not start in vain.
 * Leaves the folder and an existing file unchanged.
 */
export async function checkWritable(file: string): Promise<void> {
  const { target, mode, temporary } = await resolveTarget(file);
  if (temporary !== null)
    await withTemporaryFile(temporary, () => writeAndSync(temporary, '', 'wx', mode));
  // A pipe may have its reader later, and writing to a device could do anything.
  else if ((await stat(target)).isDirectory()) await open(target, 'w');
}

interface Target {
  target: string;
  mode: number;
  /** Path of the temporary file; null if the target is not a regular file. */
  temporary: string | null;
  isPipe: boolean;
}

async function resolveTarget(file: string): Promise<Target> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => null);
  if (before && !before.isFile())
    return { target, mode: before.mode, temporary: null, isPipe: before.isFIFO() };
  if (before && (before.mode & 0o222) === 0) throw new ReadOnlyTarget(file);
  return {
    target,
    mode: before?.mode ?? 0o666,
    temporary: `${target}.${process.pid}.new`,
    isPipe: false,
  };
}

/** Removes the temporary file when the work ends, fails, or the process exits. */
async function withTemporaryFile(temporary: string, work: () => Promise<void>): Promise<void> {
  const removeTemporary = () => {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // If the name is invalid or its folder is gone, there is nothing to remove.
    }
  };
  process.once('exit', removeTemporary);
  try {
    await sweepKilled(temporary);
    await work();
  } finally {
    process.off('exit', removeTemporary);
    removeTemporary();
  }
}

/** A temporary file that wasn't written to for so long is nobody's any more. */
const minLeftMs = 60_000;

/** Removes what a program that was killed left of an earlier write of the same file. */
async function sweepKilled(temporary: string): Promise<void> {
  const folder = dirname(temporary);
  const stem = basename(temporary).replace(/\d+\.new$/, '');
  // A folder that can't be listed can still be written to.
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid] = (name.startsWith(stem) && /^(\d+)\.new$/.exec(name.slice(stem.length))) || [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(folder, name);
    // Another container has other numbers: what it is writing now is younger.
    const written = (await stat(path).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - written > minLeftMs) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** How long to wait before it is tried again whether somebody reads a pipe. */
const readerPauseMs = 50;

/**
 * Writes to a named pipe once it has a reader. Nothing here waits inside of the system, which would
 * keep the process from ending until a reader comes.
 */
async function writeToPipe(file: string, content: Content): Promise<void> {
  for (;;) {
    try {
      const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
      await pipeline(Readable.from(content), new Socket({ fd, readable: false }));
      return;
    } catch (error) {
      if (errorCode(error) !== 'ENXIO') throw error;
      await delay(readerPauseMs);
    }
  }
}

async function writeAndSync(
  file: string,
  content: Content,
  flags: string,
  mode: number,
): Promise<void> {
  const handle = await open(file, flags, mode);
  try {
    await handle.writeFile(content, 'utf8');
    // Devices and pipes cannot be synced, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
