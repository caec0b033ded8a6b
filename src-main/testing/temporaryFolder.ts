import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Carries the test process's number, so that a leak check sees its own folders only. */
export const temporaryFolderPrefix = `touchstone-test-${process.pid}-`;

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * `await using folder = await temporaryFolder()`: gone with everything in it at the end of the
 * block, whatever happened there.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), temporaryFolderPrefix));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
