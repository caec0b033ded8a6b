import { expect, test } from 'vitest';
import { toolName } from './toolNames.ts';

test('names a tool without its server where no other tool has the name', () => {
  expect(toolName('todo:add', ['todo:add', 'mail:send', null])).toBe('add');
});

test('names a tool with its server where another server has a tool of that name', () => {
  expect(toolName('todo:add', ['todo:add', 'mail:add'])).toBe('todo:add');
});
