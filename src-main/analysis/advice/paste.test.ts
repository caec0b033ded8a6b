import { expect, it } from 'vitest';
import { names } from './paste.ts';

it.each([
  ['Use add_task instead.', 'add_task', true],
  ['Use ADD_TASK instead.', 'add_task', true],
  ['Use add_tasks instead.', 'add_task', false],
  ['Use it instead.', 'add_task', false],
  // The sign of the kelvin is a k in upper case.
  ['Use the tas\u212a tool.', 'task', true],
  ['Use the task tool.', 'tas\u212a', true],
])('tells whether %j names %s as a whole word', (text, name, expected) => {
  expect(names(text, name)).toBe(expected);
});
