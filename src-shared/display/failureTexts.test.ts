import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import type { FailureOutcome } from '../domain/outcome.ts';
import { causeWithin, whereByModel } from './failureTexts.ts';
import { plainText } from './verdictTexts.ts';

describe('a cause below its tool', () => {
  const text = (outcome: FailureOutcome, expected: string, called: string, tool: string | null) =>
    plainText(causeWithin({ outcome, expected, called }, tool, false));

  it.each([
    ['wrong_tool', 's:add', 's:update', 's:add', 'update called'],
    ['no_tool_called', 's:add', NO_TOOL, 's:add', 'no tool called'],
    ['missing_call', 's:add', NO_TOOL, 's:add', 'call missing'],
    ['wrong_arguments', 's:add', 's:add', 's:add', 'wrong arguments'],
    ['unneeded_call', NO_TOOL, 's:add', 's:add', 'called where no call fits'],
    ['unneeded_call', 's:add', 's:update', 's:add', 'update called in addition'],
    ['made_up_tool', 's:add', PHANTOM, 's:add', 'called a tool that was not offered'],
    ['no_tool_called', 's:add | s:update', NO_TOOL, null, 'add | update → no tool called'],
  ] as const)('of %s (%s, %s) is in few words', (outcome, expected, called, tool, words) => {
    expect(text(outcome, expected, called, tool)).toBe(words);
  });
});

describe('counts of several models', () => {
  it.each([
    [[6], 'in 6 cases with a'],
    [[1, 9], 'in 1 case with a and 9 with b'],
    [[6, 0, 2], 'in 6 cases with a and 2 with c'],
    [[6, 9, 2], 'in 6 cases with a, 9 with b, and 2 with c'],
  ])('%j name each model that has some', (runs, text) => {
    const counts = runs.map((each, at) => ({ name: 'abc'[at] ?? '', runs: each }));
    expect(whereByModel(counts, 'case')).toBe(text);
  });
});
