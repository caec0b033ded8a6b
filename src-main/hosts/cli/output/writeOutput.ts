import { open, rm, stat } from 'node:fs/promises';
import {
  checkWritable,
  writeFileAtomically,
  type Content,
} from '../../../services/files/writeFileAtomically.ts';
import { UsageError } from '../exitCodes.ts';
import { asFileError } from './fileErrors.ts';

/** Writes a file completely or not at all: if the program ends early, the old file is unchanged. */
export async function writeOutput(file: string, content: Content): Promise<void> {
  await named(file, () => writeFileAtomically(file, content));
}

/** Throws if a file can't be written, before work is done in vain. Changes nothing. */
export async function checkOutput(file: string): Promise<void> {
  await named(file, () => checkWritable(file));
}

/** Like `checkOutput`, for a file that is appended to: its folder need not accept new files. */
export async function checkAppended(file: string): Promise<void> {
  await named(file, async () => {
    const before = await stat(file).catch(() => null);
    if (before?.isDirectory() === true)
      throw new UsageError(`${file}: It's a folder. Name a file.`);
    if (before && !before.isFile()) return;
    await (await open(file, 'a', 0o600)).close();
    if (before === null) await rm(file, { force: true });
  });
}

async function named(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asFileError(error, file, 'write') ?? error;
  }
}
