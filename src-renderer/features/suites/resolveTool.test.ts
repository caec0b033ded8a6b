import { expect, it } from 'vitest';
import { resolveTool } from './resolveTool.ts';

const groups = [
  { group: 'todo', items: ['todo:add_task', 'todo:add_task_list', 'todo:search'] },
  { group: 'my/git', items: ['my/git:search', 'my/git:repo/get'] },
];

it.each([
  ['todo:add_task', 'todo:add_task'],
  ['todo/add_task', 'todo:add_task'],
  [' `add_task` ', 'todo:add_task'],
  ['repo/get', 'my/git:repo/get'],
  ['my/git/search', 'my/git:search'],
  ['my/git:repo/get', 'my/git:repo/get'],
  ['other:tool', 'other:tool'],
  ['search', null],
  ['add', null],
  ['add a task', null],
  ['todo/gone', null],
  ['', null],
])('takes “%s” as %s', (typed, id) => {
  expect(resolveTool(typed, groups)).toBe(id);
});
