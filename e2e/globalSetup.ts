import { prepareSample } from './sampleWorkspace.ts';

/** Playwright calls this before the first test, and what it returns after the last one. */
export default prepareSample;
