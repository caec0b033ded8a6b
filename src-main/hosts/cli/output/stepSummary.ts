import { appendFile, stat } from 'node:fs/promises';
import { asFileTrouble } from './fileTrouble.ts';

/**
 * A step's summary may have 1 MiB, over all that its commands add; one that is longer is dropped as
 * a whole.
 */
const maxBytes = 1000 * 1024;

/** Adds a report to the summary of a step. What has no room any more is said instead. */
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
      `${before > 0 ? '\n' : ''}${fits ? text : '\nThe summary has no room for another report.\n'}`,
    );
  } catch (error) {
    throw asFileTrouble(error, file, 'write') ?? error;
  }
}
