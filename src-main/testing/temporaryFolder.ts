import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Contains the pid of the test process, so that a leak check sees only its own folders. */
export const temporaryFolderPrefix = `touchstone-test-${process.pid}-`;

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * `await using folder = await temporaryFolder()`: removed with its content at the end of the block,
 * in any case.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), temporaryFolderPrefix));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
