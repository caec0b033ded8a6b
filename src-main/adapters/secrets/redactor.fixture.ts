import { createLeakFinder, replaceRanges } from './redact.ts';

/** Replaces what `createLeakFinder` finds. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const finder = createLeakFinder(secrets);
  return finder === null ? (text) => text : (text) => replaceRanges(text, finder.leaksIn(text));
}
