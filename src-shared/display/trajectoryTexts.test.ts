import { describe, expect, it } from 'vitest';
import { callOf, resultOf, stepOf } from '../../src-main/scoring/tasks/trajectory.fixture.ts';
import { alignTrajectories } from '../../src-main/scoring/tasks/alignTrajectories.ts';
import type { TrajectoryStep } from '../domain/task.ts';
import { argumentsLine, cutText, divergenceText, endText, resultLine } from './trajectoryTexts.ts';
import { plainText } from './verdictTexts.ts';

const told = (run: TrajectoryStep[], reference: TrajectoryStep[]): string =>
  plainText(divergenceText(alignTrajectories(run, reference), run, reference));
const [add, done, drop] = [
  stepOf([callOf('add_task', { title: 'Milk' })]),
  stepOf([callOf('complete_task')]),
  stepOf([callOf('delete_task')]),
];
const answer = stepOf([], 'Done.');

describe('divergenceText', () => {
  it.each([
    [
      'nothing',
      [add, answer],
      [add, answer],
      'Both runs make the same calls with the same arguments.',
    ],
    [
      'another tool',
      [add, drop, answer],
      [add, done, answer],
      'Step 2 calls delete_task; the other run calls complete_task.',
    ],
    [
      'another argument',
      [add],
      [stepOf([callOf('add_task', { title: 'Oats' })])],
      'Step 1 calls add_task with title "Milk"; the other run has "Oats".',
    ],
    [
      'a missing argument',
      [stepOf([callOf('add_task')])],
      [add],
      'Step 1 calls add_task with title absent; the other run has "Milk".',
    ],
    [
      'a step that only this run has',
      [add, drop, answer],
      [add, answer],
      'Step 2 calls delete_task; the other run has no such step.',
    ],
    [
      'a step that only the other run has',
      [add, answer],
      [add, done, answer],
      'The other run calls complete_task in step 2; this run has no such step.',
    ],
    [
      'several calls in one step',
      [stepOf([callOf('a'), callOf('b'), callOf('c')])],
      [answer],
      'Step 1 calls a, b, and c; the other run has no such step.',
    ],
  ])('names %s', (_what, run, reference, sentence) => {
    expect(told(run, reference)).toBe(sentence);
  });
});

it('writes arguments and results on one line, and cuts long ones', () => {
  expect(argumentsLine(callOf('a', { user_id: 'u-1', count: 2 }))).toBe('user_id "u-1", count 2');
  expect(argumentsLine(callOf('a'))).toBe('no arguments');
  expect(argumentsLine({ arguments: null, argumentsText: '{broken' })).toBe('{broken');
  expect(argumentsLine(callOf('a', { text: 'x'.repeat(1e6) })).length).toBeLessThan(100);
  expect(resultLine(resultOf(null, { text: 'one\n  two' }))).toBe('one two');
  expect(resultLine(resultOf(null, { text: '' }))).toBe('empty result');
  expect(resultLine(resultOf({ id: 1 }, { text: '' }))).toBe('{"id":1}');
});

it('says what the model did not receive', () => {
  expect(cutText(resultOf(null))).toBeNull();
  expect(cutText(resultOf(null, { cutFrom: 52_000, omitted: ['image/png'] }))).toBe(
    'The model received only the first part of 52,000 characters. Not sent to the model: image/png.',
  );
});

it('says why a run ended, unless the model answered', () => {
  expect(endText({ by: 'answered' })).toBeNull();
  expect(endText({ by: 'limit', limit: 'toolCalls' })).toBe(
    'The run reached its limit of tool calls.',
  );
  expect(endText({ by: 'infrastructure', stage: 'tool', message: 'It exited.' })).toBe(
    'A server failed during a call: It exited.',
  );
});
