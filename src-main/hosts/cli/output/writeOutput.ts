import { open, rm, stat } from 'node:fs/promises';
import { checkWhole, writeWhole, type Content } from '../../../services/files/writeWhole.ts';
import { asFileTrouble } from './fileTrouble.ts';

/**
 * Writes an answer to a file: whole, or the file that was there stays as it was, however the
 * program ends.
 */
export async function writeOutput(file: string, content: Content): Promise<void> {
  await named(file, () => writeWhole(file, content));
}

/**
 * Throws where a file could not be written, before the work that would be in vain. Leaves nothing
 * behind, and what is there as it is.
 */
export async function checkOutput(file: string): Promise<void> {
  await named(file, () => checkWhole(file));
}

/** The same for a file that is added to: it may stand in a folder that takes no new ones. */
export async function checkAppended(file: string): Promise<void> {
  await named(file, async () => {
    const before = await stat(file).catch(() => null);
    if (before && !before.isFile()) return;
    await (await open(file, 'a', 0o600)).close();
    if (before === null) await rm(file, { force: true });
  });
}

async function named(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asFileTrouble(error, file, 'write') ?? error;
  }
}
