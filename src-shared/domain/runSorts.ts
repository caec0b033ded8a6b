/** What a list of runs can be sorted by. The store has the SQL of each: `store/runs/runQueries.ts`. */
export const runSorts = [
  'position',
  'classification',
  'parameterCorrectness',
  'executionTimeMs',
  'confidence',
] as const;
export type RunSort = (typeof runSorts)[number];
