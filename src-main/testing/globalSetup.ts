import { bundleTestPrograms } from './bundleTestPrograms.ts';
import { keepFilesInMemory } from './memoryFolder.ts';

/** Vitest calls this before the first test file, and what it returns after the last one. */
export default async function globalSetup(): Promise<() => void> {
  const remove = keepFilesInMemory();
  await bundleTestPrograms();
  return remove;
}
