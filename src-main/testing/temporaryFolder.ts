import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Contains what no other process has, so that a leak check sees only its own folders: a killed test
 * process leaves folders, and a later one can get its pid.
 */
export const temporaryFolderPrefix = `touchstone-test-${process.pid}-${Math.round(performance.timeOrigin)}-`;

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * `await using folder = await temporaryFolder()`: removed with its content at the end of the block,
 * in any case.
 */
export async function temporaryFolder(parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, temporaryFolderPrefix));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
