import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ArgumentsMode } from '../../src-shared/domain/testCase.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import { called, expected, run, tool, verdictOf } from '../testing/scoredRun.ts';
import type { OfferedTool } from './scoreInput.ts';

describe('completeness', () => {
  it('counts names that the schema requires, and leaves out $absent, $optional and $ignore', () => {
    const parameters = {
      due: '2026-01-01',
      priority: { $optional: 'low' },
      tags: { $absent: true },
      note: { $ignore: true },
    };
    const score = run(
      [expected('add_task', parameters)],
      [called('add_task', { due: '2026-01-01' })],
    );
    expect(score.parameterCompleteness).toBe(1 / 2);
    expect(score.missingParameters).toEqual(['title']);
    expect(verdictOf(score, 'title')).toMatchObject({
      verdict: 'missing',
      reason: 'Left out; the schema requires it.',
    });
    expect(score.passed).toBe(false);
  });

  it('counts a null value as present', () => {
    const score = run(
      [expected('add_task', { title: 'x' })],
      [called('add_task', { title: null })],
    );
    expect(score).toMatchObject({
      parameterCompleteness: 1,
      parameterCorrectness: 0,
      missingParameters: [],
    });
  });

  it('is 1 when nothing is required', () => {
    expect(run([expected('list_tasks')], [called('list_tasks', {})])).toMatchObject({
      parameterCompleteness: 1,
      parameterCorrectness: 1,
      passed: true,
    });
  });
});

describe('names that the schema demands of some arguments', () => {
  const demanding = (schema: JsonObject, args: JsonObject) => {
    const call = { ...called('add_task', args), tool: 'pay', name: 'pay' };
    const score = run([expected('pay')], [call], { tools: [tool('pay', schema)] });
    return {
      missing: score.missingParameters,
      completeness: score.parameterCompleteness,
      conforms: score.parameterTypeConformance,
      rows: score.parameters.filter(({ verdict }) => verdict === 'missing').map(({ name }) => name),
    };
  };
  const listed = (...missing: string[]) => ({
    missing,
    completeness: 1,
    conforms: false,
    rows: missing,
  });
  const names = { card: {}, iban: {}, kind: {}, code: {} };
  const nothing = { missing: [], completeness: 1, rows: [] };

  it('are missing where then, else or dependentRequired apply', () => {
    const schema = {
      properties: names,
      if: { properties: { kind: { const: 'card' } }, required: ['kind'] },
      then: { required: ['card'] },
      else: { required: ['iban'] },
      dependentRequired: { card: ['code'] },
    };
    expect(demanding(schema, { kind: 'card' })).toEqual(listed('card'));
    expect(demanding(schema, { kind: 'bank' })).toEqual(listed('iban'));
    expect(demanding(schema, { kind: 'card', card: 1 })).toEqual(listed('code'));
    expect(demanding(schema, { kind: 'card', card: 1, code: 2 })).toEqual({
      ...nothing,
      conforms: true,
    });
    const draft07 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: names,
      dependencies: { card: ['code'] },
    };
    expect(demanding(draft07, { card: 1 })).toEqual(listed('code'));
  });

  it('are missing where only they keep a branch from fitting', () => {
    const either = { properties: names, anyOf: [{ required: ['card'] }, { required: ['iban'] }] };
    expect(demanding(either, {})).toEqual(listed('card', 'iban'));
    expect(demanding(either, { iban: 1 })).toEqual({ ...nothing, conforms: true });
    const byKind = {
      properties: names,
      oneOf: [
        { properties: { kind: { const: 'card' } }, required: ['kind', 'card'] },
        { properties: { kind: { const: 'bank' } }, required: ['kind', 'iban'] },
      ],
    };
    expect(demanding(byKind, { kind: 'card' })).toEqual(listed('card'));
    const several = {
      properties: names,
      oneOf: [{ required: ['card'] }, { required: ['iban'] }, { required: ['code'] }],
    };
    expect(demanding(several, { card: 1, iban: 1 })).toEqual({ ...nothing, conforms: false });
  });
});

describe('correctness', () => {
  it('counts $absent and $optional, and leaves out $ignore', () => {
    const parameters = {
      title: 'Milk',
      due: { $absent: true },
      priority: { $optional: 'low' },
      tags: { $ignore: true },
    };
    const good = run(
      [expected('add_task', parameters)],
      [called('add_task', { title: 'milk', tags: ['x'] })],
    );
    expect(good).toMatchObject({
      matchedParameters: 3,
      expectedParameters: 3,
      parameterCorrectness: 1,
      passed: true,
    });
    const bad = run(
      [expected('add_task', parameters)],
      [called('add_task', { title: 'bread', due: '2026-01-01', priority: 'high' })],
    );
    expect(bad).toMatchObject({
      matchedParameters: 0,
      expectedParameters: 3,
      parameterCorrectness: 0,
      passed: false,
    });
    expect(verdictOf(bad, 'due')?.verdict).toBe('unexpected');
    expect(verdictOf(bad, 'priority')?.verdict).toBe('wrong_value');
    expect(verdictOf(bad, 'title')?.reason).toBe('Wrong: expected "Milk", got "bread".');
    expect(verdictOf(good, 'tags')?.verdict).toBe('ignored');
  });

  it('is 1 and scores no parameter when the case expects none', () => {
    const score = run(
      [expected('add_task')],
      [called('add_task', { title: 'x', due: '2026-01-01' })],
    );
    expect(score).toMatchObject({ parameterCorrectness: 1, expectedParameters: 0, passed: true });
    expect(verdictOf(score, 'due')?.verdict).toBe('not_scored');
  });

  it("says when an omitted argument's default equals the expected value", () => {
    const score = run(
      [expected('add_task', { title: 'x', priority: 'LOW' })],
      [called('add_task', { title: 'x' })],
    );
    expect(verdictOf(score, 'priority')).toMatchObject({
      verdict: 'missing',
      reason: 'Left out; expected "LOW". Its default "low" equals the expected value.',
    });
    const other = run(
      [expected('add_task', { title: 'x', priority: 'high' })],
      [called('add_task', { title: 'x' })],
    );
    expect(verdictOf(other, 'priority')?.reason).toBe('Left out; expected "high".');
  });
});

describe('conformance', () => {
  it('is false for arguments that violate the schema, with the reason', () => {
    const score = run(
      [expected('add_task', { title: 'x' })],
      [called('add_task', { title: 'x', due: 'tomorrow' })],
    );
    expect(score).toMatchObject({
      parameterCorrectness: 1,
      parameterTypeConformance: false,
      passed: false,
    });
    expect(verdictOf(score, 'due')?.reason).toContain('must match format "date"');
  });

  it('leaves missing and unknown names to their own scores', () => {
    expect(
      run(
        [expected('add_task', { due: '2026-01-01' })],
        [called('add_task', { due: '2026-01-01', colour: 'red' })],
      ),
    ).toMatchObject({
      parameterTypeConformance: true,
      hallucinatedParameters: ['colour'],
      missingParameters: ['title'],
    });
  });

  it('ignores an unknown name when it chooses between branches', () => {
    const either = tool('either', {
      type: 'object',
      oneOf: [
        { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
        { properties: { b: {} }, required: ['b'], additionalProperties: false },
      ],
    });
    const input = {
      expectation: { expectedCalls: [expected('either')], orderDependent: false, allowedCalls: [] },
      tools: [either],
    };
    const call = (args: JsonObject): ActualCall => ({
      ...called('x', args),
      server: 's',
      tool: 'either',
      name: 'either',
    });
    expect(run([], [call({ a: 'x', made: 'up' })], input)).toMatchObject({
      parameterTypeConformance: true,
      hallucinatedParameters: ['made'],
    });
    expect(run([], [call({ a: 5 })], input)).toMatchObject({ parameterTypeConformance: false });
  });

  describe('where the schema cannot decide', () => {
    let deepSchema: JsonObject = {};
    let deepValue: JsonValue = 1;
    for (let level = 0; level < 300; level += 1) {
      deepSchema = { properties: { a: deepSchema } };
      deepValue = [deepValue];
    }
    const input = (schema: JsonObject) => ({
      expectation: {
        expectedCalls: [expected('deep', { a: 1 })],
        orderDependent: false,
        allowedCalls: [],
      },
      tools: [tool('deep', schema), tool('other', {})],
    });
    const call = (name: string, args: JsonObject | null): ActualCall => ({
      ...called('x', {}),
      server: 's',
      tool: name,
      name,
      arguments: args,
    });

    it('T36: is null, and no run of the case is passed or failed', () => {
      const deep = input(deepSchema);
      const runs = [
        [call('deep', { a: 1 })],
        [call('deep', { a: 2 })],
        [call('deep', null)],
        [call('deep', { a: 1 }), call('other', {})],
        [call('other', {})],
        [],
      ].map((calls) => run([], calls, deep));
      expect(runs.map(({ passed }) => passed)).toEqual(runs.map(() => null));
      expect(runs.map(({ classification }) => classification)).toEqual([
        'TP',
        'TP',
        'TP',
        'FN',
        'FN',
        'FN',
      ]);
      expect(runs[0]).toMatchObject({
        parameterTypeConformance: null,
        parameterCorrectness: 1,
        undecided:
          "The input schema of s:deep can't decide these arguments. It is nested deeper than 256 levels at /properties/a.",
      });
      expect(runs[0]?.recommendations.map(({ message }) => message)).toContain(runs[0]?.undecided);
    });

    it('leaves out only the runs whose arguments are nested too deeply', () => {
      const plain = input({ properties: { a: {}, b: {} } });
      const passed = (calls: ActualCall[]) => run([], calls, plain).passed;
      expect(passed([call('deep', { a: 1, b: deepValue })])).toBeNull();
      expect(passed([call('deep', { a: 2, b: deepValue })])).toBeNull();
      expect(passed([call('deep', { a: 1 })])).toBe(true);
      expect(passed([call('other', {})])).toBe(false);
    });
  });

  it('names the keywords that decide nothing, with their place', () => {
    const input = {
      expectation: {
        expectedCalls: [expected('odd', { a: 1 })],
        orderDependent: false,
        allowedCalls: [],
      },
      tools: [tool('odd', { properties: { a: { minimum: '1' }, b: { pattern: '(' } } })],
    };
    const call: ActualCall = { ...called('x', { a: 1 }), server: 's', tool: 'odd', name: 'odd' };
    const score = run([], [call], input);
    expect(score.passed).toBe(true);
    expect(score.recommendations).toEqual([
      {
        toolId: 's:odd',
        priority: 'low',
        message:
          "The input schema of s:odd has keywords that can't be read, so they decide nothing. " +
          `/properties/a/minimum: it is not a number; /properties/b/pattern: it isn't a pattern of ECMAScript.`,
      },
    ]);
  });
});

describe('hallucinated parameters', () => {
  const patterned = tool('patterned', {
    type: 'object',
    properties: { a: {} },
    patternProperties: { '^x-': {} },
  });
  const open = tool('open', { type: 'object', additionalProperties: { type: 'string' } });
  const closed = tool('closed', {
    type: 'object',
    allOf: [{ $ref: '#/$defs/b' }],
    $defs: { b: { properties: { b: {} } } },
  });
  const names = (offered: OfferedTool, args: JsonObject): string[] =>
    run(
      [{ server: 's', tool: offered.name }],
      [{ ...called('x', args), server: 's', tool: offered.name, name: offered.name }],
      { tools: [offered] },
    ).hallucinatedParameters;

  it('lists names that no reachable schema declares or explicitly allows', () => {
    expect(names(patterned, { a: 1, 'x-b': 1, b: 1 })).toEqual(['b']);
    expect(names(open, { anything: 'x' })).toEqual([]);
    expect(names(closed, { b: 1, c: 1 })).toEqual(['c']);
    expect(names(tool('bare', {}), { c: 1 })).toEqual(['c']);
  });

  it('T36: lists __proto__ and inherited names', () => {
    expect(
      names(closed, JSON.parse('{"__proto__":{"b":1},"toString":1,"b":1}') as JsonObject),
    ).toEqual(['__proto__', 'toString']);
  });

  it('lists an expected name that the schema does not have', () => {
    const score = run(
      [expected('add_task', { title: 'x', colour: 'red' })],
      [called('add_task', { title: 'x', colour: 'red' })],
    );
    expect(score).toMatchObject({
      hallucinatedParameters: ['colour'],
      parameterCorrectness: 1,
      passed: false,
    });
    expect(verdictOf(score, 'colour')).toMatchObject({
      verdict: 'matched',
      reason: "Matches the expected value. The tool's schema has no such parameter.",
    });
  });
});

describe('unreadable arguments', () => {
  it('T42: judge the selection and score 0, 0, false', () => {
    const score = run(
      [expected('add_task', { title: 'x', tags: { $ignore: true } })],
      [called('add_task', null, '{"title":')],
    );
    expect(score).toMatchObject({
      classification: 'TP',
      parameterCompleteness: 0,
      parameterCorrectness: 0,
      parameterTypeConformance: false,
      passed: false,
    });
    expect(score.parameters).toEqual([
      {
        toolId: 's:add_task',
        expectedIndex: 0,
        actualIndex: 0,
        name: 'title',
        expected: 'x',
        verdict: 'unreadable',
        reason: 'Arguments unreadable: "{\\"title\\":".',
      },
    ]);
    expect(score).toMatchObject({
      matchedParameters: 0,
      expectedParameters: 1,
      missingParameters: ['title'],
    });
  });

  it('T42: score 0 and count as one expected argument even when nothing is required', () => {
    const score = run([expected('list_tasks')], [called('list_tasks', null, '[]')]);
    expect(score).toMatchObject({
      parameterCompleteness: 0,
      parameterCorrectness: 0,
      parameterTypeConformance: false,
      matchedParameters: 0,
      expectedParameters: 1,
    });
    expect(score.parameters).toMatchObject([
      { name: '(arguments)', actual: '[]', verdict: 'unreadable' },
    ]);
  });

  it('are one wrong value of all when another call matches', () => {
    const score = run(
      [expected('add_task', { title: 'x' }), expected('list_tasks')],
      [called('list_tasks', null, '[]'), called('add_task', { title: 'x' })],
    );
    expect(score).toMatchObject({
      classification: 'TP',
      parameterCorrectness: 1 / 2,
      matchedParameters: 1,
      expectedParameters: 2,
      passed: false,
    });
  });
});

describe('arguments mode', () => {
  const expectation = (parameters: JsonObject | undefined, argumentsMode?: ArgumentsMode) => ({
    expectation: {
      expectedCalls: [expected('add_task', parameters)],
      orderDependent: false,
      allowedCalls: [],
      ...(argumentsMode && { argumentsMode }),
    },
  });
  const title = { title: 'x' };
  const sent = [called('add_task', { title: 'x', priority: 'low' })];
  const scoreOf = (parameters: JsonObject | undefined, mode?: ArgumentsMode, calls = sent) =>
    run([], calls, expectation(parameters, mode));

  it.each<[string, JsonObject | undefined, ArgumentsMode | undefined, boolean]>([
    ['accepts an unlisted argument that the schema has by default', title, undefined, true],
    ['accepts it with at-least', title, 'at-least', true],
    ['counts it as wrong with exact', title, 'exact', false],
    ['accepts it where it is listed', { ...title, priority: 'low' }, 'exact', true],
    ['accepts it where it is ignored', { ...title, priority: { $ignore: true } }, 'exact', true],
    [
      'accepts it where it is optional',
      { ...title, priority: { $optional: 'low' } },
      'exact',
      true,
    ],
    ['counts every argument as extra where none is listed', {}, 'exact', false],
    ['leaves a call without parameters to the schema', undefined, 'exact', true],
  ])('%s', (_title, parameters, mode, passed) => {
    expect(scoreOf(parameters, mode).passed).toBe(passed);
  });

  it('counts an extra argument among the expected ones, and names it', () => {
    const score = scoreOf(title, 'exact');
    expect(score).toMatchObject({
      parameterCompleteness: 1,
      parameterCorrectness: 1 / 2,
      parameterTypeConformance: true,
      hallucinatedParameters: [],
      matchedParameters: 1,
      expectedParameters: 2,
      passed: false,
    });
    expect(score.reasoning).toContain(
      '1 of 2 expected parameters match; extra argument: priority.',
    );
    expect(verdictOf(score, 'priority')).toMatchObject({
      verdict: 'unexpected',
      actual: 'low',
      reason: 'Extra argument: with arguments mode exact, only the listed ones are correct.',
    });
  });

  it('names an extra argument that the schema lacks as both', () => {
    const score = scoreOf(title, 'exact', [called('add_task', { title: 'x', color: 'red' })]);
    expect(score.hallucinatedParameters).toEqual(['color']);
    expect(verdictOf(score, 'color')?.reason).toBe(
      "Extra argument: with arguments mode exact, only the listed ones are correct. The tool's schema has no such parameter.",
    );
  });

  it('prefers the pairing without extra arguments', () => {
    const score = run(
      [],
      [called('add_task', { title: 'x', priority: 'low' }), called('add_task', { title: 'x' })],
      {
        expectation: {
          expectedCalls: [
            expected('add_task', title),
            expected('add_task', { title: 'x', priority: 'low' }),
          ],
          orderDependent: false,
          allowedCalls: [],
          argumentsMode: 'exact',
        },
      },
    );
    expect(score.passed).toBe(true);
  });
});
