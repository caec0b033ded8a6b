import { rmSync } from 'node:fs';
import { open, realpath, rename, stat } from 'node:fs/promises';

/** A text, or its parts as they are made. Where the making fails, nothing was written. */
export type Content = string | AsyncIterable<string>;

/**
 * A file that may only be read: to put a new one in its place would be allowed, and be against what
 * its owner meant.
 */
export class ReadOnlyTarget extends Error {
  override readonly name = 'ReadOnlyTarget';
}

/**
 * Writes a file whole, or the one that was there stays as it was, however the program ends. What is
 * no plain file (a pipe, a device) is written to directly. Throws the system's error, or
 * ReadOnlyTarget.
 */
export async function writeWhole(file: string, content: Content): Promise<void> {
  const { target, mode, temporary } = await resolveTarget(file);
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
 * Throws where a file could not be written, before the work that would be in vain. Leaves nothing
 * behind, and what is there as it is.
 */
export async function checkWhole(file: string): Promise<void> {
  const { target, mode, temporary } = await resolveTarget(file);
  if (temporary !== null)
    await withTemporaryFile(temporary, () => writeAndSync(temporary, '', 'wx', mode));
  // To open a pipe would wait for its reader, and to write to a device might do anything.
  else if ((await stat(target)).isDirectory()) await open(target, 'w');
}

interface Target {
  target: string;
  mode: number;
  /** Where the new file grows until it is whole; null where it is no plain file. */
  temporary: string | null;
}

async function resolveTarget(file: string): Promise<Target> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => null);
  if (before && !before.isFile()) return { target, mode: before.mode, temporary: null };
  if (before && (before.mode & 0o222) === 0) throw new ReadOnlyTarget(file);
  return { target, mode: before?.mode ?? 0o666, temporary: `${target}.${process.pid}.new` };
}

/** Whatever ends the work, or the program, nothing half is left. */
async function withTemporaryFile(temporary: string, work: () => Promise<void>): Promise<void> {
  const removeTemporary = () => {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // Where its name is none or its folder is gone, nothing is left either.
    }
  };
  process.once('exit', removeTemporary);
  try {
    await work();
  } finally {
    process.off('exit', removeTemporary);
    removeTemporary();
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
    // A device or a pipe can't be synchronised, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
