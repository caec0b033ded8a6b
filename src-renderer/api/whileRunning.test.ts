import { describe, expect, it } from 'vitest';
import { whileRunning } from './whileRunning.ts';

const listed = (...states: ('running' | 'completed' | 'planned')[]) => ({
  state: { data: states.map((state) => ({ state })) },
});

describe('how often a list of evaluations is read again', () => {
  it.each([
    ['often while one has not ended', listed('completed', 'running'), 1000],
    ['often while one is about to start', listed('planned'), 1000],
    ['rarely once all have ended', listed('completed', 'completed'), 15_000],
    ['rarely before the list is known', { state: {} }, 15_000],
  ])('reads it %s', (_when, query, ms) => {
    expect(whileRunning(1000, 15_000)(query)).toBe(ms);
  });

  it('does not read it again without another interval', () => {
    expect(whileRunning(1000)(listed('completed'))).toBe(false);
  });
});
