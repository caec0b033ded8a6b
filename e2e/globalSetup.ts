import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepFilesInMemory } from '../src-main/testing/memoryFolder.ts';
import { bundleTestPrograms } from '../src-main/testing/testPrograms.ts';
import { prepareSample } from './sampleWorkspace.ts';

/** Playwright calls this before the first test, and what it returns after the last one. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // Hosts and commands start with code that an earlier one compiled.
  process.env['NODE_COMPILE_CACHE'] ??= join(
    import.meta.dirname,
    ...['..', 'node_modules', '.cache', 'touchstone'],
  );
  // Playwright looks for compiled tests below the folder for temporary files, which is another one now.
  const compiledTests = join(tmpdir(), `playwright-transform-cache-${process.geteuid?.()}`);
  const remove = keepFilesInMemory();
  if (!compiledTests.startsWith(tmpdir())) process.env['PWTEST_CACHE_DIR'] ??= compiledTests;
  await bundleTestPrograms();
  const removeSample = await prepareSample();
  return async () => {
    await removeSample();
    remove();
  };
}
