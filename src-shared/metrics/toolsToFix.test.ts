import { expect, it } from 'vitest';
import { NO_TOOL } from '../domain/labels.ts';
import { toolsToFix } from './toolsToFix.ts';

const cause = (
  outcome: 'wrong_tool' | 'no_tool_called' | 'unneeded_call',
  expected: string,
  called: string,
  runs: number,
) => ({
  outcome,
  expected,
  called,
  runs,
  cases: runs,
});

it('adds up the failures of each tool, and puts the worst first', () => {
  expect(
    toolsToFix([
      cause('wrong_tool', 's:update', 's:add', 2),
      cause('no_tool_called', 's:add', NO_TOOL, 1),
      cause('unneeded_call', NO_TOOL, 's:add', 2),
      cause('no_tool_called', 's:update', NO_TOOL, 3),
    ]),
  ).toMatchObject([
    {
      tool: 's:update',
      runs: 5,
      causes: [{ outcome: 'no_tool_called' }, { outcome: 'wrong_tool' }],
    },
    {
      tool: 's:add',
      runs: 3,
      causes: [{ outcome: 'unneeded_call' }, { outcome: 'no_tool_called' }],
    },
  ]);
});

it('leaves out failures that no single tool explains', () => {
  expect(toolsToFix([cause('no_tool_called', NO_TOOL, NO_TOOL, 1)])).toEqual([]);
});

it('names no tool for a name that a model made up, and takes wrong steps of tasks too', () => {
  expect(
    toolsToFix([
      { expected: null, called: 'invented', runs: 4 },
      { expected: 's:add', called: 'invented', runs: 1 },
      { expected: null, called: 's:drop', runs: 2 },
    ]),
  ).toEqual([
    { tool: 's:drop', runs: 2, causes: [{ expected: null, called: 's:drop', runs: 2 }] },
    { tool: 's:add', runs: 1, causes: [{ expected: 's:add', called: 'invented', runs: 1 }] },
  ]);
});
