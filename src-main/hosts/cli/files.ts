import { readFile, stat } from 'node:fs/promises';
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
