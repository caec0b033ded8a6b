import { describe, expect, it } from 'vitest';
import { taskRunSentence } from './taskRunSentence.ts';

describe('the sentence about a run of a task', () => {
  it('tells a run without a score from a task that was not done', () => {
    const of = (
      outcome: 'succeeded' | 'limit' | 'not_scored' | null,
      reason: string | null,
      failure: 'environment' | null = null,
    ) => taskRunSentence({ outcome, reason, failure });
    expect(of('succeeded', null)).toBe('The task was done');
    expect(of('limit', 'The run reached its limit of steps.')).toBe(
      'The task wasn’t done: the run reached its limit of steps.',
    );
    expect(of('not_scored', 'A long error.', 'environment')).toBe(
      'The run wasn’t scored: a server could not be started or reached',
    );
    expect(of('not_scored', 'The state was not recorded.')).toBe(
      'The run wasn’t scored: the state was not recorded.',
    );
    expect(of(null, null)).toBe('Not run');
  });
});
