import { appendFile, stat } from 'node:fs/promises';
import { asFileError } from './fileErrors.ts';

/** GitHub drops a step summary of more than 1 MiB, counted over all commands of the step. */
const maxBytes = 1000 * 1024;

/** Appends a report to the step summary, or a note if it would not fit. */
export async function appendSummary(file: string, texts: AsyncIterable<string>): Promise<void> {
  let text = '';
  for await (const part of texts) text += part;
  try {
    const before = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const fits = before + Buffer.byteLength(text) + 1 <= maxBytes;
    await appendFile(
      file,
      `${before > 0 ? '\n' : ''}${fits ? text : "\nThe summary is full: another report doesn't fit.\n"}`,
    );
  } catch (error) {
    throw asFileError(error, file, 'write') ?? error;
  }
}
