import { describe, expect, it } from 'vitest';
import type { ActualCall } from '../domain/observation.ts';
import type { Score } from '../domain/score.ts';
import type { CaseContent, ExpectedCall } from '../domain/testCase.ts';
import { actualName, callPairs, expectedName } from './callPairs.ts';

const expected = (tool: string): ExpectedCall => ({ server: 's', tool });
const call = (tool: string): ActualCall => ({
  id: tool,
  server: 's',
  tool,
  name: tool,
  arguments: {},
  argumentsText: null,
});
const content = (calls: ExpectedCall[]): CaseContent => ({
  name: 'case',
  query: 'query',
  tags: [],
  servers: [],
  stubResults: [],
  expectedCalls: calls,
  orderDependent: false,
  allowedCalls: [],
});
function score(matches: Score['matches']): Score {
  return {
    classification: 'FN',
    toolSelectionCorrect: false,
    parameterCompleteness: 0,
    parameterCorrectness: 0,
    parameterTypeConformance: false,
    undecided: null,
    hallucinatedParameters: [],
    missingParameters: [],
    matchedParameters: 0,
    expectedParameters: 0,
    passed: false,
    parameters: [
      {
        toolId: 's:b',
        expectedIndex: 1,
        actualIndex: 0,
        name: 'x',
        verdict: 'matched',
        reason: '',
      },
      {
        toolId: 's:b',
        expectedIndex: 3,
        actualIndex: 2,
        name: 'y',
        verdict: 'missing',
        reason: '',
      },
    ],
    matches,
    units: [],
    confidenceCategory: 'unmeasured',
    reasoning: '',
    recommendations: [],
  };
}
const brief = (pairs: ReturnType<typeof callPairs>) =>
  pairs.map(({ expected: left, actual, kind, verdicts }) => [
    kind,
    left === null ? null : expectedName(left),
    actual === null ? null : actualName(actual),
    verdicts.length,
  ]);

describe('callPairs', () => {
  it('pairs each call with its own expectation and verdicts', () => {
    const pairs = callPairs({
      case: content([expected('a'), expected('b'), expected('c')]),
      calls: [call('b'), call('z'), call('look')],
      score: score([
        { expectedIndex: 1, actualIndex: 0, toolId: 's:b', allowed: false },
        { expectedIndex: null, actualIndex: 2, toolId: null, allowed: true },
      ]),
    });
    expect(brief(pairs)).toEqual([
      ['confused', 's:a', 's:z', 0],
      ['matched', 's:b', 's:b', 1],
      ['missing', 's:c', null, 0],
      ['allowed', null, 's:look', 0],
    ]);
  });

  it('shows an unneeded call without a partner', () => {
    expect(
      brief(
        callPairs({
          case: content([]),
          calls: [call('a')],
          score: score([{ expectedIndex: null, actualIndex: 0, toolId: null, allowed: false }]),
        }),
      ),
    ).toEqual([['extra', null, 's:a', 0]]);
  });

  it('shows the expected calls of a run without a score', () => {
    expect(brief(callPairs({ case: content([expected('a')]), calls: [], score: null }))).toEqual([
      ['missing', 's:a', null, 0],
    ]);
  });

  it('names a made-up tool as the model wrote it', () => {
    expect(actualName({ ...call('x'), server: null, tool: null, name: 'delete_everything' })).toBe(
      'delete_everything',
    );
  });
});
