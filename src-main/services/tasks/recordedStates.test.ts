import { expect, it } from 'vitest';
import type { Trajectory } from '../../../src-shared/domain/task.ts';
import { trajectoryFor } from './recordedStates.ts';

const asked = { tools: [{ server: 'todo', name: 'add_task' }], sent: {} };
const recorded = (step: Partial<Trajectory['steps'][number]>): Trajectory => ({
  steps: [
    {
      turn: 0,
      text: 'Done.',
      reasoning: null,
      stopReason: 'answered',
      calls: [],
      usage: null,
      elapsedMs: 1,
      ...step,
    },
  ],
  end: { by: 'answered' },
  states: {},
});
const endOf = (step: Partial<Trajectory['steps'][number]>) =>
  trajectoryFor({ trajectory: recorded(step), exchanges: [], checks: [] }, [], asked).end;

it('ends a recorded run with an error of its model if a reply can’t be judged', () => {
  expect(endOf({})).toEqual({ by: 'answered' });
  expect(endOf({ text: '[TOOL_CALLS]todo__add_task{}' })).toEqual({
    by: 'infrastructure',
    stage: 'model',
    message:
      'The endpoint returned a call of todo:add_task as text ([TOOL_CALLS]). Start it with its tool-call parser.',
  });
  expect(endOf({ stopReason: 'cut_off' })).toMatchObject({ by: 'infrastructure', stage: 'model' });
});
