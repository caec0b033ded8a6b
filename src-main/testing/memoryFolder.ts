import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../adapters/process/programFolder.ts';

/** Only Linux has it. */
const memory = '/dev/shm';
const prefix = 'touchstone-tests-';
const neededBytes = 4 * 2 ** 30;

/**
 * Where there is room, the temporary files of this process and of all that it starts wait for no disk:
 * most of the time of a commit. Returns a function that removes them.
 */
export function keepFilesInMemory(): () => void {
  if (process.env['TMPDIR']?.startsWith(join(memory, prefix)) === true || !hasRoom())
    return () => undefined;
  removeOld();
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder, { mode: 0o700 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (!startsPrograms(folder)) {
    remove();
    return () => undefined;
  }
  process.env['TMPDIR'] = folder;
  return remove;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > neededBytes;
  } catch {
    // There is no such folder.
    return false;
  }
}

/** Those of runs that were killed. */
function removeOld(): void {
  for (const name of readdirSync(memory))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true });
}

/** Containers may forbid it. */
function startsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}
