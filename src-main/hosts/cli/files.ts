import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageError } from './exitCodes.ts';

/** A file by name, or standard input by `-`. A file that can't be read is the caller's to mend. */
export async function readInput(file: string, maximumBytes = 256 * 1024 * 1024): Promise<string> {
  return (await readBytes(file, maximumBytes)).toString('utf8');
}

/** The same for a file that may be no text. */
export async function readBytes(file: string, maximumBytes: number): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  try {
    const { size } = await stat(file);
    if (size > maximumBytes) throw new UsageError(`${file}: It has ${size} bytes, more than the ${maximumBytes} that are read. Split it.`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const cause = code === 'ENOENT' ? 'There is no such file.' : code === 'EISDIR' ? 'It is a folder.' : `It can't be read (${code ?? String(error)}).`;
    throw new UsageError(`${file}: ${cause} Check the name.`);
  }
}

/**
 * Writes an answer to a file: whole, or the file that was there stays as it was, however the program ends. What is no plain file
 * (a pipe, a device) is written to directly.
 */
export async function writeOutput(file: string, content: string): Promise<void> {
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
    const code = (error as NodeJS.ErrnoException).code;
    const cause = code === 'ENOENT' ? 'Its folder is not there.' : code === 'EISDIR' ? 'It is a folder.' : code === 'ENOSPC' ? 'The disk is full.' : `It can't be written (${code ?? String(error)}).`;
    throw new UsageError(`${file}: ${cause} Nothing was changed. Name another place.`);
  }
}

async function writeThrough(file: string, content: string, flags: string, mode: number): Promise<void> {
  const handle = await open(file, flags, mode);
  try {
    await handle.writeFile(content);
    // A device or a pipe can't be synchronised, and need not be.
    if (flags === 'wx') await handle.sync();
  } finally {
    await handle.close();
  }
}
