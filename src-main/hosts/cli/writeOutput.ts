import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { asFileTrouble } from './fileTrouble.ts';

/** A text, or its parts as they are made. Where the making fails, nothing was written. */
export type Content = string | AsyncIterable<string>;

/**
 * Writes an answer to a file: whole, or the file that was there stays as it was, however the program ends. What is no plain file
 * (a pipe, a device) is written to directly.
 */
export async function writeOutput(file: string, content: Content): Promise<void> {
  try {
    const target = await realpath(file).catch(() => file);
    const before = await stat(target).catch(() => null);
    if (before && !before.isFile()) {
      await writeThrough(target, content, 'w', before.mode);
      return;
    }
    const beside = `${target}.${process.pid}.new`;
    try {
      await writeThrough(beside, content, 'wx', before?.mode ?? 0o666);
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw asFileTrouble(error, file, 'write') ?? error;
  }
}

async function writeThrough(file: string, content: Content, flags: string, mode: number): Promise<void> {
  const handle = await open(file, flags, mode);
  try {
    await handle.writeFile(content, 'utf8');
    // A device or a pipe can't be synchronised, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
