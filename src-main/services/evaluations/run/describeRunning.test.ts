import { expect, it } from 'vitest';
import { describeRunning, type RunningParts } from './describeRunning.ts';

const running = (id: string, number: number) => ({
  id,
  number,
  suiteName: 'a',
  state: 'running',
  counts: { total: 10, open: 4 },
});
const ofTasks = {
  ...{ id: 'tasks', number: 3, suiteName: 'b', state: 'running' },
  outcomes: { succeeded: 1, check_failed: 2, not_scored: 0, not_run: 4 },
};
const tasksRun = 'Task evaluation #3 b: 3 of 7 runs done.';
const parts = (evaluating: boolean): RunningParts => ({
  evaluations: {
    list: async ({ unit }: { unit?: string }) =>
      (unit === 'task' ? [ofTasks] : [running('own', 2), running('sample', 1)]) as never,
  },
  settings: {
    sample: async () => ({
      servers: [],
      suites: [],
      evaluation: { id: 'sample', number: 1 },
      evaluating,
      addable: false,
    }),
  },
});

it('leaves out the sample evaluation that the next start resumes', async () => {
  expect(await describeRunning(parts(true))).toEqual(['#2 a: 6 of 10 runs done.', tasksRun]);
});

it('names the sample evaluation when a person runs it again', async () => {
  expect(await describeRunning(parts(false))).toEqual([
    '#2 a: 6 of 10 runs done.',
    '#1 a: 6 of 10 runs done.',
    tasksRun,
  ]);
});

it('describes nothing where the list cannot be read', async () => {
  const failing = { ...parts(true), evaluations: { list: () => Promise.reject(new Error('x')) } };
  expect(await describeRunning(failing)).toEqual([]);
});
