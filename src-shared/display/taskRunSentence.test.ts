import { describe, expect, it } from 'vitest';
import { plainText } from './verdictTexts.ts';
import type { CallAnswer } from '../domain/task.ts';
import type { TaskRunDetail } from '../domain/taskEvaluation.ts';
import { taskRunSentence } from './taskRunSentence.ts';

const sentence = (run: Partial<TaskRunDetail>): string =>
  plainText(
    taskRunSentence({
      outcome: 'succeeded',
      reason: null,
      failure: null,
      cause: null,
      trajectory: null,
      ...run,
    }),
  );

describe('the sentence about a run of a task', () => {
  it('tells a run without a score from a task that was not done', () => {
    expect(sentence({})).toBe('The task was done');
    expect(sentence({ outcome: 'limit', reason: 'The run reached its limit of steps.' })).toBe(
      'The task wasn’t done: the run reached its limit of steps.',
    );
    expect(
      sentence({ outcome: 'not_scored', reason: 'A long error.', failure: 'environment' }),
    ).toBe('The run wasn’t scored: a server could not be started or reached');
    expect(sentence({ outcome: 'not_scored', reason: 'The state was not recorded.' })).toBe(
      'The run wasn’t scored: the state was not recorded.',
    );
    expect(sentence({ outcome: null })).toBe('Not run');
  });

  it('says what the model did where a cause is known', () => {
    const cause = { kind: 'stopped_early', tool: 'todo:b', called: 'todo:a' } as const;
    expect(sentence({ outcome: 'check_failed', cause })).toMatch(/^Failed: stopped after .*b/u);
  });

  it.each([
    [['executed', 'executed'], 'The task was done'],
    [['executed', 'no_answer'], 'The task was done'],
    [[], 'The task was done'],
    [['stubbed', 'not_executed'], 'All checks passed, but no tool was executed'],
    [
      ['executed', 'not_executed', 'executed'],
      'All checks passed, but 1 of 3 calls was not executed',
    ],
  ] as const)('calls a task done only if its calls were sent: %j', (calls, text) => {
    const trajectory = {
      steps: [{ calls: calls.map((answeredBy: CallAnswer) => ({ answeredBy })) }],
    } as unknown as TaskRunDetail['trajectory'];
    expect(sentence({ trajectory })).toBe(text);
  });
});
