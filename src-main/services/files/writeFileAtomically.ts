import { rmSync } from 'node:fs';
import { open, realpath, rename, stat } from 'node:fs/promises';

/** A text, or its parts as they are produced. If producing them fails, nothing is written. */
export type Content = string | AsyncIterable<string>;

/**
 * Thrown for a read-only file. Replacing it by renaming would work, but would ignore the permission
 * that its owner set.
 */
export class ReadOnlyTarget extends Error {
  override readonly name = 'ReadOnlyTarget';
}

/**
 * Writes a file completely or not at all, however the program ends: the content goes to a temporary
 * file in the same folder, which then replaces the target. Pipes and devices are written to
 * directly. Throws the system's error, or ReadOnlyTarget.
 */
export async function writeFileAtomically(file: string, content: Content): Promise<void> {
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
 * Throws if the file could not be written, so that a long computation does not start in vain.
 * Leaves the folder and an existing file unchanged.
 */
export async function checkWritable(file: string): Promise<void> {
  const { target, mode, temporary } = await resolveTarget(file);
  if (temporary !== null)
    await withTemporaryFile(temporary, () => writeAndSync(temporary, '', 'wx', mode));
  // Opening a pipe would wait for its reader, and writing to a device could do anything.
  else if ((await stat(target)).isDirectory()) await open(target, 'w');
}

interface Target {
  target: string;
  mode: number;
  /** Path of the temporary file; null if the target is not a regular file. */
  temporary: string | null;
}

async function resolveTarget(file: string): Promise<Target> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => null);
  if (before && !before.isFile()) return { target, mode: before.mode, temporary: null };
  if (before && (before.mode & 0o222) === 0) throw new ReadOnlyTarget(file);
  return { target, mode: before?.mode ?? 0o666, temporary: `${target}.${process.pid}.new` };
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
    // Devices and pipes cannot be synced, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
