import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import { readExternal } from '../testing/externalData.ts';
import { AjvJudge } from './ajvJudge.ts';
import { acceptableFor, isAcceptable, mayBeLeftOut, standardise, underBfclRules } from './bfcl.ts';
import type { AcceptableCall, OfferedTool, ScoreInput } from './scoreInput.ts';
import { scoreRun } from './scoreRun.ts';

interface Line {
  id: string;
  query: string;
  tools: { name: string; description: string; inputSchema: JsonObject }[];
  expected_calls: { name: string; arguments: JsonObject }[];
  acceptable: AcceptableCall[];
}

function read(name: string): Line[] {
  return readExternal(`bfcl/${name}.jsonl.br`)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const judge = new AjvJudge();

function actual(name: string, args: JsonObject): ActualCall {
  return { id: '1', server: '', tool: name, name, arguments: args, argumentsText: null };
}

function toInput(line: Line, calls: ActualCall[]): ScoreInput {
  const tools = line.tools.map((tool): OfferedTool => ({
    ...tool,
    toolId: `:${tool.name}`,
    server: '',
    title: null,
    outputSchema: null,
    annotations: null,
  }));
  return {
    expectation: {
      expectedCalls: line.expected_calls.map(({ name }) => ({ server: '', tool: name })),
      orderDependent: false,
      allowedCalls: [],
    },
    query: line.query,
    calls,
    tools,
    confidence: null,
    highConfidence: 0.7,
    modelReasoning: null,
    acceptable: line.acceptable,
  };
}

const called = [...read('simple_python'), ...read('multiple')];

describe('BFCL sample', () => {
  it('contains 500 cases with a call and 240 without', () => {
    expect([called.length, read('irrelevance').length]).toEqual([500, 240]);
  });

  it('accepts every expected call of the ground truth', () => {
    const failed = called.flatMap((line) => {
      const score = scoreRun(
        toInput(
          line,
          line.expected_calls.map((call) => actual(call.name, call.arguments)),
        ),
        judge,
      );
      const good =
        score.classification === 'TP' &&
        score.parameterCorrectness === 1 &&
        score.parameterCompleteness === 1;
      return good &&
        score.parameterTypeConformance !== false &&
        score.hallucinatedParameters.length === 0 &&
        score.passed === true
        ? []
        : [`${line.id}: ${score.reasoning}`];
    });
    expect(failed).toEqual([]);
  });

  it('rejects every answer with one wrong argument', () => {
    let tried = 0;
    for (const line of called) {
      const [call] = line.expected_calls;
      const [name] = Object.keys(call?.arguments ?? {});
      if (!call || name === undefined) continue;
      tried += 1;
      const score = scoreRun(
        toInput(line, [actual(call.name, { ...call.arguments, [name]: 'certainly wrong' })]),
        judge,
      );
      expect(score.passed, line.id).toBe(false);
      expect(score.parameterCorrectness, line.id).toBeLessThan(1);
    }
    expect(tried).toBeGreaterThan(480);
  });

  it('rejects an argument that the ground truth does not list', () => {
    for (const line of called.slice(0, 50)) {
      const [call] = line.expected_calls;
      if (!call) continue;
      const score = scoreRun(
        toInput(line, [actual(call.name, { ...call.arguments, never_listed: 1 })]),
        judge,
      );
      expect(score.parameterCorrectness, line.id).toBeLessThan(1);
    }
  });

  it('passes no call and fails any call where no tool is relevant', () => {
    for (const line of read('irrelevance')) {
      const [tool] = line.tools;
      expect(scoreRun(toInput(line, []), judge), line.id).toMatchObject({
        classification: 'TN',
        passed: true,
      });
      const calls = tool
        ? [actual(tool.name, {})]
        : [{ ...actual('made_up', {}), server: null, tool: null }];
      expect(scoreRun(toInput(line, calls), judge), line.id).toMatchObject({
        classification: 'FP',
        passed: false,
      });
    }
  });
});

describe('the rules of BFCL', () => {
  it('accept every expected call of the sample, with and without its ground truth', () => {
    for (const line of called) {
      const calls = line.expected_calls.map((call) => actual(call.name, call.arguments));
      const input = toInput(line, calls);
      const { acceptable: _truth, ...withoutTruth } = input;
      const expectedCalls = line.expected_calls.map((call) => ({
        server: '',
        tool: call.name,
        parameters: call.arguments,
      }));
      for (const each of [
        input,
        { ...withoutTruth, expectation: { ...input.expectation, expectedCalls } },
      ])
        expect([line.id, scoreRun(underBfclRules(each), judge).passed]).toEqual([line.id, true]);
    }
  });

  const choice: Line = {
    id: 'choice',
    query: 'q',
    tools: [
      {
        name: 'f',
        description: '',
        inputSchema: {
          type: 'object',
          properties: {
            size: { type: 'string', enum: ['big'] },
            enum: { type: 'object', properties: { of: { enum: [1] } } },
          },
          required: ['size'],
        },
      },
    ],
    expected_calls: [{ name: 'f', arguments: {} }],
    acceptable: [{ f: { size: ['big', 'very big'], enum: [{ of: [1, 2] }, ''] } }],
  };
  const verdicts = (args: JsonObject) => {
    const input = toInput(choice, [actual('f', args)]);
    return [scoreRun(input, judge).passed, scoreRun(underBfclRules(input), judge).passed];
  };

  it('do not check enum, which conformance does', () => {
    expect(verdicts({ size: 'big' })).toEqual([true, true]);
    expect(verdicts({ size: 'Very-Big' })).toEqual([false, true]);
    expect(verdicts({ size: 'big', enum: { of: 2 } })).toEqual([false, true]);
    expect(verdicts({ size: 'small' })).toEqual([false, false]);
    expect(verdicts({ size: 'big', enum: 2 })).toEqual([false, false]);
    expect(verdicts({})).toEqual([false, false]);
  });

  it('compare expected arguments as the ground truth, and matchers as matchers', () => {
    const compared = (parameters: JsonObject, args: JsonObject) => {
      const { acceptable: _truth, ...input } = toInput(choice, [actual('f', args)]);
      const expectedCalls = [{ server: '', tool: 'f', parameters }];
      const changed = { ...input, expectation: { ...input.expectation, expectedCalls } };
      return scoreRun(underBfclRules(changed), judge).passed;
    };
    expect(compared({ size: "it's big" }, { size: 'It"s-big' })).toBe(true);
    expect(compared({ size: 'big' }, { size: 'big', enum: {} })).toBe(false);
    expect(compared({ size: { $regex: '^b' } }, { size: 'b-i-g' })).toBe(true);
    expect(compared({ size: { $regex: '^x' } }, { size: 'b-i-g' })).toBe(false);
  });
});

describe('isAcceptable', () => {
  it.each<[string, JsonValue[], JsonValue, boolean]>([
    ['text without spaces, case and marks', ['New York, N.Y.'], 'new-york ny', true],
    ['other text', ['New York'], 'Newark', false],
    ['an integer for a number', [5.0], 5, true],
    ['text for a number', [5], '5', false],
    ['a number for text', ['5'], 5, false],
    ['true for 1', [1], true, false],
    ['null', [null], null, true],
    ['one of several', ['a', 'b'], 'B', true],
    ['a list', [['a', 'b']], ['A', 'b'], true],
    ['a list in another order', [['a', 'b']], ['b', 'a'], false],
    ['a longer list', [['a']], ['a', 'a'], false],
    ['a list for a value', ['a'], ['a'], false],
    ['a value for a list', [['a']], 'a', false],
    ['a list of lists', [[[1, 2], [3]]], [[1, 2], [3]], true],
    ['an object, each value a list', [{ a: [1, 2], b: ['x'] }], { b: 'X', a: 2 }, true],
    ['an object with a wrong value', [{ a: [1, 2] }], { a: 3 }, false],
    ['an object with a name too many', [{ a: [1] }], { a: 1, c: 1 }, false],
    ['an object with a name too few', [{ a: [1], b: [1] }], { a: 1 }, false],
    ['an object whose name may be left out', [{ a: [1], b: [1, ''] }], { a: 1 }, true],
    ['an object for a list', [{ a: [1] }], [1], false],
    ['objects in a list', [[{ a: ['x', 'y'] }, { a: ['z'] }]], [{ a: 'Y' }, { a: 'z' }], true],
    [
      'objects in a list, one wrong',
      [[{ a: ['x'] }, { a: ['z'] }]],
      [{ a: 'x' }, { a: 'x' }],
      false,
    ],
    ['an object inside an object', [{ a: [{ b: [1] }] }], { a: { b: 1 } }, true],
    ['an inherited name', [{ a: [1] }], { a: 1, toString: 1 }, false],
  ])('judges %s', (_title, accepted, value, verdict) => {
    expect(isAcceptable(accepted, value)).toBe(verdict);
  });

  it('removes spaces, case and ,./-_*^ and keeps other characters', () => {
    expect(standardise('A b,c.d/e-f_g*h^i')).toBe('abcdefghi');
    expect(standardise('a+b(c):d')).toBe('a+b(c):d');
    expect(standardise("it's")).toBe(standardise('It"s'));
  });

  it('treats an empty string among the values as optional', () => {
    expect([mayBeLeftOut(['', 1]), mayBeLeftOut([1]), mayBeLeftOut(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('acceptableFor', () => {
  it('finds the ground truth of the same call by position, then by name', () => {
    const list: AcceptableCall[] = [{ a: { x: [1] } }, { b: { y: [2] } }, { a: { x: [3] } }];
    expect(acceptableFor(list, 2, ['a'])).toEqual({ x: [3] });
    expect(acceptableFor(list, 0, ['b'])).toEqual({ y: [2] });
    expect(acceptableFor(list, 5, ['a'])).toEqual({ x: [1] });
    expect(acceptableFor(list, 0, ['c'])).toBeNull();
    expect(acceptableFor(undefined, 0, ['a'])).toBeNull();
    expect(acceptableFor([], 0, ['a'])).toBeNull();
    expect(acceptableFor([{}, { a: { x: [1] } }], 0, ['a'])).toBeNull();
  });
});
