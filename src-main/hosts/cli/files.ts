import { readFile, stat, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './exitCodes.ts';

/** A file by name, or standard input by `-`. A file that can't be read is the caller's to mend. */
export async function readInput(file: string, maximumBytes = 256 * 1024 * 1024): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    const { size } = await stat(file);
    if (size > maximumBytes) throw new UsageError(`${file}: It has ${size} bytes, more than the ${maximumBytes} that are read. Split it.`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const cause = code === 'ENOENT' ? 'There is no such file.' : code === 'EISDIR' ? 'It is a folder.' : `It can't be read (${code ?? String(error)}).`;
    throw new UsageError(`${file}: ${cause} Check the name.`);
  }
}

/** A report beside the answer. A place that can't be written is the caller's to mend. */
export async function writeReport(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new UsageError(`${file}: It can't be written (${(error as NodeJS.ErrnoException).code ?? String(error)}). Check the folder and its rights.`);
  }
}
