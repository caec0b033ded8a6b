/**
 * Whether a run goes through everything, as each night and before a release
 * (`npm run test:nightly`). All others take the same sample of each kind every time.
 */
export const isNightly = process.env['TOUCHSTONE_NIGHTLY'] === '1';

/** Every row of a table each night, and otherwise those to be sampled: at least one of each kind. */
export function sampled<T>(rows: readonly T[], isInSample: (row: T) => boolean): readonly T[] {
  return isNightly ? rows : rows.filter(isInSample);
}

/** How many draws a property is tried with: all each night, and otherwise a fifth of them. */
export const draws = (all: number): { numRuns: number } => ({
  numRuns: isNightly ? all : Math.ceil(all / 5),
});
