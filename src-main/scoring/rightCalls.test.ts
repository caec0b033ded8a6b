import { describe, expect, it } from 'vitest';
import { callDifferences } from '../../src-shared/display/callDifferences.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { alternatives, type ExpectedCall } from '../../src-shared/domain/testCase.ts';
import { judge, tool } from '../testing/scoredRun.ts';
import { underBfclRules } from './bfcl.ts';
import type { ScoreInput } from './scoreInput.ts';
import { scoreRun } from './scoreRun.ts';

const schema: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, text: { type: 'string' }, year: { type: 'integer' } },
};
const call = (name: string, parameters?: JsonObject) => ({
  ...{ server: 's', tool: name },
  ...(parameters && { parameters }),
});
const anyOf = [
  call('track', { id: 'B1' }),
  call('find', { text: 'B1' }),
  call('find', { text: 'blue book', year: 1965 }),
];

function inputOf(
  expectedCalls: ExpectedCall[],
  made: [string, JsonObject][],
  mode: 'at-least' | 'exact' = 'at-least',
): ScoreInput {
  return {
    expectation: { expectedCalls, orderDependent: false, allowedCalls: [], argumentsMode: mode },
    calls: made.map(([name, args]) => ({
      ...{ id: '1', name, server: 's', tool: name, arguments: args, argumentsText: null },
    })),
    tools: ['track', 'find'].map((name) => tool(name, schema)),
    query: 'Where is B1?',
    confidence: null,
    highConfidence: 0.7,
    modelReasoning: null,
  };
}

describe('right calls with arguments of their own', () => {
  it.each<[string, JsonObject, boolean]>([
    ['track', { id: 'B1' }, true],
    ['find', { text: 'B1' }, true],
    ['find', { text: 'blue book', year: 1965 }, true],
    // Values of different answers don't make one.
    ['find', { text: 'B1', year: 1965 }, true],
    ['find', { text: 'blue book', year: 1966 }, false],
    ['track', { text: 'B1' }, false],
    ['find', { id: 'B1' }, false],
  ])('are compared with a call of their tool alone: %s %j passes: %j', (tool, args, passed) => {
    expect(scoreRun(inputOf([{ anyOf }], [[tool, args]]), judge)).toMatchObject({
      ...{ classification: 'TP', passed },
    });
  });

  it('accept no mixture of two answers where arguments are exact', () => {
    const passes = (args: JsonObject) =>
      scoreRun(inputOf([{ anyOf }], [['find', args]], 'exact'), judge).passed;
    expect(passes({ text: 'B1' })).toBe(true);
    expect(passes({ text: 'B1', year: 1965 })).toBe(false);
  });

  it('count with the arguments of the closest answer, and say how that one differs', () => {
    const input = inputOf([{ anyOf }], [['find', { text: 'red book', year: 1965 }]]);
    const score = scoreRun(input, judge);
    expect(score).toMatchObject({ matchedParameters: 1, expectedParameters: 2 });
    expect(callDifferences({ case: input.expectation, calls: input.calls, score })).toMatchObject([
      {
        text: 'text: expected "blue book", got "red book"',
        expected: {
          tools: ['s:track', 's:find'],
          parameters: { text: 'blue book', year: 1965 },
        },
      },
    ]);
  });

  it('replace the arguments for all, which are those of the others', () => {
    const shared = {
      anyOf: [call('track'), call('find', { text: 'B1' })],
      parameters: { id: 'B1' },
    };
    const passes = (tool: string, args: JsonObject) =>
      scoreRun(inputOf([shared], [[tool, args]]), judge).passed;
    expect(passes('track', { id: 'B1' })).toBe(true);
    expect(passes('track', { id: 'B2' })).toBe(false);
    expect(passes('find', { text: 'B1' })).toBe(true);
    expect(passes('find', { id: 'B1' })).toBe(false);
  });

  it('are paired so that the most calls match', () => {
    const input = inputOf(
      [{ anyOf }, call('find', { text: 'B1' })],
      [
        ['find', { text: 'B1' }],
        ['find', { text: 'blue book', year: 1965 }],
      ],
    );
    expect(scoreRun(input, judge).passed).toBe(true);
  });

  it('name a tool once, however many sets of arguments it has', () => {
    expect(alternatives({ anyOf }).map(({ tool }) => tool)).toEqual(['track', 'find']);
  });

  it('are not taken for one answer by the rules of the leaderboard', () => {
    for (const [args, passed] of [
      [{ text: 'blue book', year: 1965 }, true],
      [{ text: 'red book', year: 1965 }, false],
    ] as const) {
      const input = underBfclRules(inputOf([{ anyOf }], [['find', args]]));
      expect(scoreRun(input, judge).passed).toBe(passed);
    }
  });
});
