import { expect, it } from 'vitest';
import type { TrajectoryStep } from '../../../../../src-shared/domain/task.ts';
import { laneOf, ticksOf } from './timeLane.ts';

const step = (elapsedMs: number, tools: number[], tokens: number | null): TrajectoryStep => ({
  turn: 0,
  text: null,
  reasoning: null,
  stopReason: 'answered',
  calls: tools.map((durationMs) => ({
    id: 'c',
    server: 's',
    tool: 't',
    name: 't',
    arguments: {},
    argumentsText: null,
    answeredBy: 'executed',
    result: { isError: false, text: '', structured: null, cutFrom: null, omitted: [] },
    durationMs,
  })),
  usage: tokens === null ? null : { input: tokens, output: 1, source: 'measured' },
  elapsedMs,
});

it('places the model and then its tools, step after step', () => {
  expect(laneOf({ steps: [step(10, [2, 3], 5), step(20, [], 7)] })).toEqual({
    steps: [
      { startMs: 0, modelMs: 10, toolMs: 5, answers: false },
      { startMs: 15, modelMs: 20, toolMs: 0, answers: true },
    ],
    modelMs: 30,
    totalMs: 35,
    tokens: 14,
  });
});

it('has no sum of tokens if a step has no count', () => {
  expect(laneOf({ steps: [step(1, [], null), step(1, [], 3)] }).tokens).toBeNull();
});

it.each([
  [0, [0, 1]],
  [7, [0, 1, 2, 3, 4, 5, 6, 7]],
  [4_300, [0, 1_000, 2_000, 3_000, 4_000, 5_000]],
])('marks a scale of %d ms', (total, ticks) => {
  expect(ticksOf(total)).toEqual(ticks);
});
