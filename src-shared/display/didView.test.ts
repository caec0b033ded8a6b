import { expect, it } from 'vitest';
import type { TaskRunRow } from '../domain/taskEvaluation.ts';
import { CORRECT } from './confusionView.ts';
import { didView } from './didView.ts';

type Run = Parameters<typeof didView>[0][number];

const failed = (
  runId: string,
  tool: string | null,
  kind: NonNullable<TaskRunRow['cause']>['kind'],
  called: string | null = null,
): Run => ({
  runId,
  outcome: 'check_failed',
  cause: { kind, tool, called },
  toolUse: null,
});

const passed = (runId: string, tool: string, calls: number): Run => ({
  runId,
  outcome: 'succeeded',
  cause: null,
  toolUse: { tools: [{ tool, calls }] } as unknown as Run['toolUse'],
});

const runs = [
  failed('a', 'todo:add', 'called_nothing'),
  failed('b', 'todo:add', 'wrong_tool', 'todo:update'),
  failed('c', 'todo:add', 'wrong_tool', 'todo:update'),
  failed('d', 'todo:list', 'stopped_early'),
  failed('e', null, 'refused'),
  passed('f', 'todo:add', 2),
  passed('g', 'todo:add', 0),
];

it('counts what models did by the needed tool, the most frequent tools and deeds first', () => {
  const { rows, columns, cells } = didView(runs);
  expect(rows.map(({ id, label }) => [id, label])).toEqual([
    ['todo:add', 'add'],
    ['todo:list', 'list'],
  ]);
  expect(columns.map(({ id }) => id)).toEqual([
    CORRECT,
    'update',
    'called nothing',
    'stopped too early',
  ]);
  expect(cells.map((row) => row.map(({ count }) => count))).toEqual([
    [1, 2, 1, 0],
    [0, 0, 0, 1],
  ]);
});

it('gives a cell the first of its runs, what that did, and the color of what it is like', () => {
  const [[right, other, nothing, none] = [], [, , , early] = []] = didView(runs).cells;
  expect(right).toMatchObject({ runId: 'f', tone: 'correct', text: null });
  expect(other).toMatchObject({ runId: 'b', tone: 'wrong_tool' });
  expect(nothing).toMatchObject({ runId: 'a', tone: 'no_tool_called' });
  expect(early).toMatchObject({ runId: 'd', tone: 'no_tool_called' });
  expect(none).toMatchObject({ count: 0, runId: null, text: null });
});

it('has no rows where no failure points to a tool', () => {
  expect(didView([failed('e', null, 'refused'), passed('f', 'todo:add', 1)]).rows).toEqual([]);
});

it('names tools with their server where two servers have a tool of that name', () => {
  const { rows, columns, cells } = didView([
    failed('a', 'todo:add', 'wrong_tool', 'mail:send'),
    failed('b', 'todo:add', 'wrong_tool', 'chat:send'),
    failed('c', 'mail:add', 'called_nothing'),
  ]);
  expect(rows.map(({ label }) => label)).toEqual(['todo:add', 'mail:add']);
  expect(columns.map(({ label }) => label).slice(1)).toEqual([
    'mail:send',
    'chat:send',
    'called nothing',
  ]);
  expect(cells[0]?.map(({ count }) => count)).toEqual([0, 1, 1, 0]);
});
