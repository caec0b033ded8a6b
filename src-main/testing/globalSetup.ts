import { bundleTestPrograms } from './testPrograms.ts';

/** Vitest calls this before the first test file. */
export default bundleTestPrograms;
