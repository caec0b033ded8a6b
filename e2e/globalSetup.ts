import { join } from 'node:path';
import { bundleTestPrograms } from '../src-main/testing/bundleTestPrograms.ts';
import { findBrowser } from './browser.ts';
import { prepareSample } from './sampleWorkspace.ts';

/** Playwright calls this before the first test, and what it returns after the last one. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // Hosts and commands start with code that an earlier one compiled.
  process.env['NODE_COMPILE_CACHE'] ??= join(
    import.meta.dirname,
    ...['..', 'node_modules', '.cache', 'touchstone'],
  );
  await bundleTestPrograms();
  // Unpacks the browser of the npm package: of two workers that did, one could start a file that the
  // other one still writes.
  await findBrowser();
  return prepareSample();
}
