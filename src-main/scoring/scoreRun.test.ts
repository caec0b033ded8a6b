import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import { score as scoreSchema, type Score } from '../../src-shared/domain/score.ts';
import { called, expected, judge, run, tools, verdictOf } from '../testing/scoredRun.ts';
import type { ScoreInput } from './scoreInput.ts';
import { scorerFingerprint, scoreRun } from './scoreRun.ts';

describe('fixed scores', () => {
  it('are 0, 0, false for FP and FN, and 1, 1, true for TN', () => {
    const wrong = {
      parameterCompleteness: 0,
      parameterCorrectness: 0,
      parameterTypeConformance: false,
      passed: false,
      matchedParameters: 0,
      expectedParameters: 0,
    };
    expect(run([], [called('add_task', { title: 'x' })])).toMatchObject({
      classification: 'FP',
      toolSelectionCorrect: false,
      ...wrong,
    });
    expect(run([expected('add_task', { title: 'x' })], [called('list_tasks', {})])).toMatchObject({
      classification: 'FN',
      toolSelectionCorrect: false,
      ...wrong,
    });
    expect(
      run(
        [expected('add_task', { title: 'x' })],
        [called('add_task', { title: 'x' }), called('list_tasks', {})],
      ),
    ).toMatchObject({ classification: 'FN', ...wrong });
    const right = {
      parameterCompleteness: 1,
      parameterCorrectness: 1,
      parameterTypeConformance: true,
      passed: true,
    };
    expect(run([], [])).toMatchObject({
      classification: 'TN',
      toolSelectionCorrect: true,
      ...right,
    });
  });

  it('keep the parameter rows of a matched call when another call is missing', () => {
    const score = run(
      [expected('add_task', { title: 'x' }), expected('list_tasks')],
      [called('add_task', { title: 'x' })],
    );
    expect(verdictOf(score, 'title')?.verdict).toBe('matched');
  });
});

describe('several calls', () => {
  it('divide sums by sums and qualify names with their tool', () => {
    const score = run(
      [
        expected('add_task', { title: 'a', due: '2026-01-01', priority: 'low' }),
        expected('delete_task', { id: 5 }),
      ],
      [
        called('add_task', { title: 'a', due: '2026-01-02', made: 1 }),
        called('delete_task', { id: 5 }),
      ],
    );
    expect(score).toMatchObject({
      classification: 'TP',
      parameterCorrectness: 2 / 4,
      parameterCompleteness: 3 / 4,
      matchedParameters: 2,
      expectedParameters: 4,
      hallucinatedParameters: ['add_task.made'],
      missingParameters: ['add_task.priority'],
      parameterTypeConformance: true,
    });
  });

  it('conform only if every call conforms', () => {
    const score = run(
      [expected('add_task'), expected('delete_task')],
      [called('add_task', { title: 'a' }), called('delete_task', { id: 'five' })],
    );
    expect(score.parameterTypeConformance).toBe(false);
  });

  it('are paired by best fit in any order', () => {
    const score = run(
      [expected('add_task', { title: 'a' }), expected('add_task', { title: 'b' })],
      [called('add_task', { title: 'B' }), called('add_task', { title: 'A' })],
    );
    expect(score).toMatchObject({ classification: 'TP', parameterCorrectness: 1, passed: true });
  });
});

describe('accepted values', () => {
  const acceptable = [
    { add_task: { title: ['Buy Milk', 'milk'], due: ['', '2026-01-01'], tags: [['a', 'b']] } },
  ];
  const judgeArgs = (args: JsonObject) =>
    run([expected('add_task', { title: 'never compared' })], [called('add_task', args)], {
      acceptable,
    });

  it('replace the expected parameters', () => {
    expect(judgeArgs({ title: 'buy-milk', tags: ['A', 'b'] })).toMatchObject({
      parameterCorrectness: 1,
      expectedParameters: 3,
      parameterCompleteness: 1,
      passed: true,
    });
    expect(judgeArgs({ title: 'Milk', due: '2026/01/01', tags: ['a', 'b'] })).toMatchObject({
      matchedParameters: 3,
      parameterTypeConformance: false,
    });
    expect(judgeArgs({ title: 'Milk', tags: ['b', 'a'] })).toMatchObject({
      matchedParameters: 2,
      expectedParameters: 3,
    });
  });

  it('count an unlisted argument as wrong', () => {
    const score = judgeArgs({ title: 'milk', tags: ['a', 'b'], priority: 'low' });
    expect(score).toMatchObject({
      matchedParameters: 3,
      expectedParameters: 4,
      hallucinatedParameters: [],
      passed: false,
    });
    expect(verdictOf(score, 'priority')?.verdict).toBe('unexpected');
  });

  it('count a missing argument that is not optional', () => {
    const score = judgeArgs({ title: 'milk' });
    expect(score).toMatchObject({
      matchedParameters: 2,
      parameterCompleteness: 1 / 2,
      missingParameters: ['tags'],
    });
    expect(verdictOf(score, 'tags')).toMatchObject({
      verdict: 'missing',
      reason: 'Left out; expected one of [["a","b"]].',
    });
  });
});

describe('score', () => {
  const value = fc.oneof(
    fc.constantFrom<JsonValue>('milk', 'x', 1, null),
    fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    fc.record({ p: fc.integer(), q: fc.string() }),
  );
  const args = fc.dictionary(
    fc.constantFrom('title', 'due', 'priority', 'tags', 'made', '__proto__'),
    value,
    { noNullPrototype: true },
  ) as fc.Arbitrary<JsonObject>;
  const turn = (object: JsonValue): JsonValue =>
    typeof object !== 'object' || object === null || Array.isArray(object)
      ? object
      : Object.fromEntries(
          Object.entries(object)
            .reverse()
            .map(([key, each]) => [key, turn(each)]),
        );

  it('does not depend on the order of properties', () => {
    fc.assert(
      fc.property(args, args, (wanted, sent) => {
        const score = (w: JsonValue, s: JsonValue) =>
          run([expected('add_task', w as JsonObject)], [called('add_task', s as JsonObject)]);
        expect(score(turn(wanted), turn(sent))).toEqual(score(wanted, sent));
      }),
      { numRuns: 500 },
    );
  });

  it('has a valid shape and values in range', () => {
    fc.assert(
      fc.property(args, fc.option(args), (wanted, sent) => {
        const score = run(
          [expected('add_task', wanted)],
          [called('add_task', sent, sent === null ? '{' : null)],
        );
        expect(scoreSchema.safeParse(score).error).toBeUndefined();
        expect(score.matchedParameters).toBeLessThanOrEqual(score.expectedParameters);
        if (score.passed)
          expect([
            score.parameterCompleteness,
            score.parameterCorrectness,
            score.parameterTypeConformance,
          ]).toEqual([1, 1, true]);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on server names', () => {
    const rename = (input: ScoreInput): ScoreInput =>
      JSON.parse(
        JSON.stringify(input)
          .replaceAll('"server":"s"', '"server":"zz"')
          .replaceAll('"toolId":"s:', '"toolId":"zz:'),
      ) as ScoreInput;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('add_task', 'list_tasks', 'delete_task'), { maxLength: 4 }),
        fc.array(fc.tuple(fc.constantFrom('add_task', 'list_tasks', 'nowhere'), args), {
          maxLength: 4,
        }),
        (wanted, made) => {
          const input: ScoreInput = {
            expectation: {
              expectedCalls: wanted.map((name) => expected(name, { title: 'milk' })),
              orderDependent: false,
              allowedCalls: [],
            },
            query: 'milk',
            calls: made.map(([name, each]) => called(name, each)),
            tools,
            confidence: null,
            highConfidence: 0.7,
            modelReasoning: null,
          };
          const [before, after] = [
            scoreRun(JSON.parse(JSON.stringify(input)) as ScoreInput, judge),
            scoreRun(rename(input), judge),
          ];
          const numbers = ({
            classification,
            units,
            parameterCompleteness,
            parameterCorrectness,
            parameterTypeConformance,
            hallucinatedParameters,
          }: Score) => [
            classification,
            units.length,
            parameterCompleteness,
            parameterCorrectness,
            parameterTypeConformance,
            hallucinatedParameters,
          ];
          expect(numbers(after)).toEqual(numbers(before));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('scorerFingerprint', () => {
  it('differs for different settings and is stable for equal ones', () => {
    expect(scorerFingerprint({ highConfidence: 0.7 })).toBe(
      scorerFingerprint({ highConfidence: 0.7 }),
    );
    expect(scorerFingerprint({ highConfidence: 0.7 })).not.toBe(
      scorerFingerprint({ highConfidence: 0.8 }),
    );
    expect(scorerFingerprint()).toMatch(/^touchstone-scorer\/\d+ /);
  });
});
