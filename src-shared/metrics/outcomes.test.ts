import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import type { ConfusionUnit } from '../domain/score.ts';
import { causeOf, outcomeOf, outcomeOfRun } from './outcomes.ts';

const units = (...pairs: [string, string][]): ConfusionUnit[] =>
  pairs.map(([expected, selected]) => ({ expected, selected }));

const failed = (...pairs: [string, string][]) => ({
  classification: 'FN' as const,
  passed: false,
  units: units(...pairs),
});

describe('outcomeOf', () => {
  it.each([
    ['wrong_tool', [['s:a', 's:b']]],
    ['no_tool_called', [['s:a', NO_TOOL]]],
    [
      'no_tool_called',
      [
        ['s:a', NO_TOOL],
        ['s:b', NO_TOOL],
      ],
    ],
    [
      'missing_call',
      [
        ['s:a', 's:a'],
        ['s:b', NO_TOOL],
      ],
    ],
    ['made_up_tool', [['s:a', PHANTOM]]],
    ['unneeded_call', [[NO_TOOL, 's:a']]],
    ['made_up_tool', [[NO_TOOL, PHANTOM]]],
    [
      'unneeded_call',
      [
        ['s:a', 's:a'],
        [NO_TOOL, 's:b'],
      ],
    ],
  ] as const)('is %s for %j', (outcome, pairs) => {
    expect(outcomeOf(failed(...pairs.map(([a, b]): [string, string] => [a, b])))).toBe(outcome);
  });

  it('is wrong arguments if every call is of the right tool', () => {
    const run = { classification: 'TP' as const, passed: false, units: units(['s:a', 's:a']) };
    expect(outcomeOf(run)).toBe('wrong_arguments');
    expect(causeOf(run)).toEqual({ outcome: 'wrong_arguments', expected: 's:a', called: 's:a' });
  });

  it('is not scored if the schema cannot decide', () => {
    expect(outcomeOf({ classification: 'TP', passed: null, units: units(['s:a', 's:a']) })).toBe(
      'not_scored',
    );
  });

  it('counts a call to an alternative as correct', () => {
    expect(causeOf(failed(['s:a | s:b', 's:b'], ['s:c', 's:d']))).toEqual({
      outcome: 'wrong_tool',
      expected: 's:c',
      called: 's:d',
    });
  });

  it('passes a request without an expected call if no call is made', () => {
    const run = { classification: 'TN' as const, passed: true, units: units([NO_TOOL, NO_TOOL]) };
    expect(outcomeOf(run)).toBe('passed');
    expect(causeOf(run)).toBeNull();
  });
});

describe('outcomeOfRun', () => {
  const open = { failure: null, classification: null, passed: null, units: [] };

  it('tells cancelled and interrupted runs from runs in trouble', () => {
    expect(outcomeOfRun({ ...open, status: 'failed', failure: 'interrupted' })).toBe('not_run');
    expect(outcomeOfRun({ ...open, status: 'failed', failure: 'cancelled' })).toBe('not_run');
    expect(outcomeOfRun({ ...open, status: 'failed', failure: 'provider' })).toBe('not_scored');
    expect(outcomeOfRun({ ...open, status: 'running' })).toBe('not_run');
  });

  it('is the outcome of its score once it is completed', () => {
    const run = failed(['s:a', 's:b']);
    expect(outcomeOfRun({ ...run, status: 'completed', failure: null })).toBe('wrong_tool');
  });
});
