import { measuredSorts } from './runColumns.ts';
import { measuredTaskSorts } from './taskRunColumns.ts';

/** What a list of runs of cases can be sorted by. The store has the SQL of each: `store/runs/runQueries.ts`. */
export const runSorts = ['position', 'classification', ...measuredSorts] as const;
export type RunSort = (typeof runSorts)[number];

export const taskRunSorts = [
  'position',
  'outcome',
  'task',
  'model',
  'repetition',
  ...measuredTaskSorts,
] as const;
export type TaskRunSort = (typeof taskRunSorts)[number];

export const resultSorts = ['number', 'suite', 'passRate', 'when'] as const;
export type ResultSort = (typeof resultSorts)[number];
