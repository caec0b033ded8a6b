import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import { score as scoreSchema, type Score } from '../../src-shared/domain/score.ts';
import type { ExpectedCall } from '../../src-shared/domain/testCase.ts';
import { AjvJudge } from './ajvJudge.ts';
import type { OfferedTool, ScoreInput } from './scoreInput.ts';
import { scorerFingerprint, scoreRun } from './scoreRun.ts';

const judge = new AjvJudge();

function tool(name: string, inputSchema: JsonObject, description = `Does ${name}`): OfferedTool {
  return { toolId: `s:${name}`, server: 's', name, title: null, description, inputSchema, outputSchema: null, annotations: null };
}

const add = tool(
  'add_task',
  {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'What has to be done' },
      due: { type: 'string', format: 'date' },
      priority: { enum: ['low', 'high'], default: 'low' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['title'],
    additionalProperties: false,
  },
  'Adds a task to the list of the user',
);
const list = tool('list_tasks', { type: 'object', properties: { state: { type: 'string' } } }, 'Lists the tasks of the user');
const remove = tool('delete_task', { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }, 'Removes a task forever');
const tools = [add, list, remove];

function called(name: string, args: JsonObject | null, argumentsText: string | null = null): ActualCall {
  const known = tools.some((each) => each.name === name);
  return { id: '1', server: known ? 's' : null, tool: known ? name : null, name, arguments: args, argumentsText };
}

function expected(name: string, parameters?: JsonObject): ExpectedCall {
  return parameters === undefined ? { server: 's', tool: name } : { server: 's', tool: name, parameters };
}

function run(expectedCalls: ExpectedCall[], calls: ActualCall[], more: Partial<ScoreInput> = {}): Score {
  return scoreRun(
    {
      expectation: { expectedCalls, orderDependent: false, allowedCalls: [] },
      query: 'Please add buying milk to my list',
      calls,
      tools,
      confidence: null,
      highConfidence: 0.7,
      modelReasoning: null,
      ...more,
    },
    judge,
  );
}

const verdictOf = (score: Score, name: string) => score.parameters.find((row) => row.name === name);

describe('fixed scores', () => {
  it('would catch scores other than 0, 0, false for FP and FN, and 1, 1, true for TN', () => {
    const wrong = { parameterCompleteness: 0, parameterCorrectness: 0, parameterTypeConformance: false, passed: false, matchedParameters: 0, expectedParameters: 0 };
    expect(run([], [called('add_task', { title: 'x' })])).toMatchObject({ classification: 'FP', toolSelectionCorrect: false, ...wrong });
    expect(run([expected('add_task', { title: 'x' })], [called('list_tasks', {})])).toMatchObject({ classification: 'FN', toolSelectionCorrect: false, ...wrong });
    expect(run([expected('add_task', { title: 'x' })], [called('add_task', { title: 'x' }), called('list_tasks', {})])).toMatchObject({ classification: 'FN', ...wrong });
    const right = { parameterCompleteness: 1, parameterCorrectness: 1, parameterTypeConformance: true, passed: true };
    expect(run([], [])).toMatchObject({ classification: 'TN', toolSelectionCorrect: true, ...right });
  });

  it('would catch the rows of a matched call lost because another call was wrong', () => {
    const score = run([expected('add_task', { title: 'x' }), expected('list_tasks')], [called('add_task', { title: 'x' })]);
    expect(verdictOf(score, 'title')?.verdict).toBe('matched');
  });
});

describe('completeness', () => {
  it('would catch R without what the schema requires, or with $absent, $optional and $ignore', () => {
    const parameters = { due: '2026-01-01', priority: { $optional: 'low' }, tags: { $absent: true }, note: { $ignore: true } };
    const score = run([expected('add_task', parameters)], [called('add_task', { due: '2026-01-01' })]);
    expect(score.parameterCompleteness).toBe(1 / 2);
    expect(score.missingParameters).toEqual(['title']);
    expect(verdictOf(score, 'title')).toMatchObject({ verdict: 'missing', reason: 'Left out; the schema requires it.' });
    expect(score.passed).toBe(false);
  });

  it('would catch null taken for absent', () => {
    const score = run([expected('add_task', { title: 'x' })], [called('add_task', { title: null })]);
    expect(score).toMatchObject({ parameterCompleteness: 1, parameterCorrectness: 0, missingParameters: [] });
  });

  it('would catch 0 where R is empty', () => {
    expect(run([expected('list_tasks')], [called('list_tasks', {})])).toMatchObject({ parameterCompleteness: 1, parameterCorrectness: 1, passed: true });
  });
});

describe('correctness', () => {
  it('would catch E with $ignore, or without $absent and $optional', () => {
    const parameters = { title: 'Milk', due: { $absent: true }, priority: { $optional: 'low' }, tags: { $ignore: true } };
    const good = run([expected('add_task', parameters)], [called('add_task', { title: 'milk', tags: ['x'] })]);
    expect(good).toMatchObject({ matchedParameters: 3, expectedParameters: 3, parameterCorrectness: 1, passed: true });
    const bad = run([expected('add_task', parameters)], [called('add_task', { title: 'bread', due: '2026-01-01', priority: 'high' })]);
    expect(bad).toMatchObject({ matchedParameters: 0, expectedParameters: 3, parameterCorrectness: 0, passed: false });
    expect(verdictOf(bad, 'due')?.verdict).toBe('unexpected');
    expect(verdictOf(bad, 'priority')?.verdict).toBe('wrong_value');
    expect(verdictOf(bad, 'title')?.reason).toBe('Wrong: expected "Milk", got "bread".');
    expect(verdictOf(good, 'tags')?.verdict).toBe('ignored');
  });

  it('would catch parameters that are scored although the case gives none', () => {
    const score = run([expected('add_task')], [called('add_task', { title: 'x', due: '2026-01-01' })]);
    expect(score).toMatchObject({ parameterCorrectness: 1, expectedParameters: 0, passed: true });
    expect(verdictOf(score, 'due')?.verdict).toBe('not_scored');
  });

  it('would catch an omitted argument whose default equals the expected value and whose row does not say so', () => {
    const score = run([expected('add_task', { title: 'x', priority: 'LOW' })], [called('add_task', { title: 'x' })]);
    expect(verdictOf(score, 'priority')).toMatchObject({ verdict: 'missing', reason: 'Left out; expected "LOW". Its default "low" equals the expected value.' });
    const other = run([expected('add_task', { title: 'x', priority: 'high' })], [called('add_task', { title: 'x' })]);
    expect(verdictOf(other, 'priority')?.reason).toBe('Left out; expected "high".');
  });
});

describe('conformance', () => {
  it('would catch arguments against the schema that pass, or a row that does not say why', () => {
    const score = run([expected('add_task', { title: 'x' })], [called('add_task', { title: 'x', due: 'tomorrow' })]);
    expect(score).toMatchObject({ parameterCorrectness: 1, parameterTypeConformance: false, passed: false });
    expect(verdictOf(score, 'due')?.reason).toContain('must match format "date"');
  });

  it('would catch missing and unknown names counted a second time', () => {
    expect(run([expected('add_task', { due: '2026-01-01' })], [called('add_task', { due: '2026-01-01', colour: 'red' })])).toMatchObject({
      parameterTypeConformance: true,
      hallucinatedParameters: ['colour'],
      missingParameters: ['title'],
    });
  });

  it('would catch an unknown name that spoils a choice between branches', () => {
    const either = tool('either', { type: 'object', oneOf: [{ properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }, { properties: { b: {} }, required: ['b'], additionalProperties: false }] });
    const input = { expectation: { expectedCalls: [expected('either')], orderDependent: false, allowedCalls: [] }, tools: [either] };
    const call = (args: JsonObject): ActualCall => ({ ...called('x', args), server: 's', tool: 'either', name: 'either' });
    expect(run([], [call({ a: 'x', made: 'up' })], input)).toMatchObject({ parameterTypeConformance: true, hallucinatedParameters: ['made'] });
    expect(run([], [call({ a: 5 })], input)).toMatchObject({ parameterTypeConformance: false });
  });

  it('T36: would catch a verdict invented where the schema can not decide', () => {
    const old = tool('old', { $schema: 'http://json-schema.org/draft-04/schema#', properties: { a: {} } });
    const input = { expectation: { expectedCalls: [expected('old', { a: 1 })], orderDependent: false, allowedCalls: [] }, tools: [old] };
    const call: ActualCall = { ...called('x', { a: 1 }), server: 's', tool: 'old', name: 'old' };
    const score = run([], [call], input);
    expect(score).toMatchObject({ classification: 'TP', parameterTypeConformance: null, passed: null, parameterCorrectness: 1 });
    expect(score.recommendations.map(({ message }) => message).join()).toContain('draft-04');
    expect(run([], [{ ...call, arguments: { a: 2 } }], input)).toMatchObject({ parameterTypeConformance: null, passed: false });
  });
});

describe('hallucinated parameters', () => {
  const patterned = tool('patterned', { type: 'object', properties: { a: {} }, patternProperties: { '^x-': {} } });
  const open = tool('open', { type: 'object', additionalProperties: { type: 'string' } });
  const closed = tool('closed', { type: 'object', allOf: [{ $ref: '#/$defs/b' }], $defs: { b: { properties: { b: {} } } } });
  const names = (offered: OfferedTool, args: JsonObject): string[] =>
    run([{ server: 's', tool: offered.name }], [{ ...called('x', args), server: 's', tool: offered.name, name: offered.name }], { tools: [offered] }).hallucinatedParameters;

  it('would catch a name that stands in no reachable properties, or one that is explicitly allowed', () => {
    expect(names(patterned, { a: 1, 'x-b': 1, b: 1 })).toEqual(['b']);
    expect(names(open, { anything: 'x' })).toEqual([]);
    expect(names(closed, { b: 1, c: 1 })).toEqual(['c']);
    expect(names(tool('bare', {}), { c: 1 })).toEqual(['c']);
  });

  it('T36: would catch __proto__ and inherited names taken for known', () => {
    expect(names(closed, JSON.parse('{"__proto__":{"b":1},"toString":1,"b":1}') as JsonObject)).toEqual(['__proto__', 'toString']);
  });

  it('would catch a name that is expected but unknown to the schema and goes unmentioned', () => {
    const score = run([expected('add_task', { title: 'x', colour: 'red' })], [called('add_task', { title: 'x', colour: 'red' })]);
    expect(score).toMatchObject({ hallucinatedParameters: ['colour'], parameterCorrectness: 1, passed: false });
    expect(verdictOf(score, 'colour')).toMatchObject({ verdict: 'matched', reason: "Matches the expected value. The tool's schema has no such parameter." });
  });
});

describe('several calls', () => {
  it('would catch means of ratios in place of sums over sums, and names without their tool', () => {
    const score = run(
      [expected('add_task', { title: 'a', due: '2026-01-01', priority: 'low' }), expected('delete_task', { id: 5 })],
      [called('add_task', { title: 'a', due: '2026-01-02', made: 1 }), called('delete_task', { id: 5 })],
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

  it('would catch conformance of the one hiding that of the other', () => {
    const score = run([expected('add_task'), expected('delete_task')], [called('add_task', { title: 'a' }), called('delete_task', { id: 'five' })]);
    expect(score.parameterTypeConformance).toBe(false);
  });

  it('would catch equal calls that are paired badly: the better fit wins whatever the order', () => {
    const score = run(
      [expected('add_task', { title: 'a' }), expected('add_task', { title: 'b' })],
      [called('add_task', { title: 'B' }), called('add_task', { title: 'A' })],
    );
    expect(score).toMatchObject({ classification: 'TP', parameterCorrectness: 1, passed: true });
  });
});

describe('unreadable arguments', () => {
  it('T42: would catch {} in place of what could not be read: selection judged, 0, 0, false', () => {
    const score = run([expected('add_task', { title: 'x', tags: { $ignore: true } })], [called('add_task', null, '{"title":')]);
    expect(score).toMatchObject({ classification: 'TP', parameterCompleteness: 0, parameterCorrectness: 0, parameterTypeConformance: false, passed: false });
    expect(score.parameters).toEqual([
      { toolId: 's:add_task', expectedIndex: 0, actualIndex: 0, name: 'title', expected: 'x', verdict: 'unreadable', reason: 'Arguments unreadable: "{\\"title\\":".' },
    ]);
    expect(score).toMatchObject({ matchedParameters: 0, expectedParameters: 1, missingParameters: ['title'] });
  });

  it('T42: would catch 1 because nothing was required', () => {
    const score = run([expected('list_tasks')], [called('list_tasks', null, '[]')]);
    expect(score).toMatchObject({ parameterCompleteness: 0, parameterCorrectness: 0, parameterTypeConformance: false, expectedParameters: 0 });
    expect(score.parameters).toMatchObject([{ name: '(arguments)', actual: '[]', verdict: 'unreadable' }]);
  });
});

describe('confidence', () => {
  it('would catch a category on the wrong side of the threshold', () => {
    const at = (score: number | null, right: boolean) =>
      run(right ? [] : [expected('add_task')], [], { confidence: score === null ? null : { score, method: 'logprobs' } }).confidenceCategory;
    expect([at(0.7, true), at(0.69, true), at(0.7, false), at(0.69, false), at(null, true), at(null, false)]).toEqual([
      'robust',
      'needs_clarity',
      'misleading',
      'wrong_low',
      'unmeasured',
      'unmeasured',
    ]);
  });
});

describe('reasoning and recommendations', () => {
  const messages = (score: Score) => score.recommendations.map(({ toolId, message }) => `${toolId}: ${message}`);

  it("would catch the model's own words lost", () => {
    expect(run([], [], { modelReasoning: ' Nothing fits. ' }).reasoning).toBe('Nothing fits.');
  });

  it('would catch sentences that do not name the tools or quote the words', () => {
    const score = run([expected('add_task', { title: 'milk' })], [called('list_tasks', {})], { query: 'list milk among my tasks as something to add' });
    expect(score.reasoning).toContain('Expected s:add_task, but the model called s:list_tasks.');
    expect(score.reasoning).toContain('s:list_tasks speaks of “tasks” as the query does, s:add_task does not');
    expect(messages(score)).toEqual([
      's:add_task: Take “tasks” of the query into the description of s:add_task: s:list_tasks says them, it does not.',
      's:list_tasks: Both s:list_tasks and s:add_task say “list” and “user”: reword them in s:list_tasks, or say there when s:add_task is meant instead.',
    ]);
  });

  it('would catch silence about a call that was not made, not due, or not offered', () => {
    const nothing = run([expected('add_task')], [], { query: 'remember the milk' });
    expect(messages(nothing)).toEqual(['s:add_task: Take “remember” and “milk” of the query into the description of s:add_task: nothing in it says them.']);
    const undue = run([], [called('delete_task', { id: 1 })], { query: 'is this task gone forever?' });
    expect(messages(undue)).toEqual(['s:delete_task: Narrow “task” and “forever” in the description of s:delete_task: say for which requests it is not meant.']);
    const phantom = run([expected('add_task')], [called('remove_forever', {})], { query: 'add' });
    expect(phantom.reasoning).toContain('Never offered: “remove_forever”.');
    expect(messages(phantom)[0]).toBe('s:delete_task: The model called “remove_forever”, which was not offered; s:delete_task says “forever” too. Take that name into its description, or rename it.');
  });

  it('would catch general advice about parameters', () => {
    const score = run([expected('add_task', { title: 'milk', due: '2026-01-01' })], [called('add_task', { title: 'bread', task_title: 'x' })]);
    expect(messages(score)).toEqual([
      's:add_task: Say in s:add_task what “title” takes, which is described as “What has to be done”. Wrong: expected "milk", got "bread".',
      's:add_task: “due” of s:add_task, which has no description, was left out: say there from which words of a request it is taken.',
      's:add_task: The model made up “task_title” for s:add_task; nearest is “title”: take “task_title” into its description.',
    ]);
  });

  it('would catch a right choice with low confidence that names no rival', () => {
    const score = run([expected('list_tasks')], [called('list_tasks', {})], { query: 'show the task list of the user', confidence: { score: 0.2, method: 'margin' } });
    expect(messages(score)[0]).toMatch(/^s:list_tasks: Right, but with low confidence: s:add_task says “task”, “list” and “user” of the query too\. Stress “tasks”, “lists” and “state”, which only s:list_tasks says\./);
  });

  it('would catch advice where all is well', () => {
    expect(run([expected('add_task', { title: 'x' })], [called('add_task', { title: 'x' })]).recommendations).toEqual([]);
  });
});

describe('accepted values', () => {
  const acceptable = [{ add_task: { title: ['Buy Milk', 'milk'], due: ['', '2026-01-01'], tags: [['a', 'b']] } }];
  const judgeArgs = (args: JsonObject) => run([expected('add_task', { title: 'never compared' })], [called('add_task', args)], { acceptable });

  it('would catch comparison by the expected parameters where accepted values are given', () => {
    expect(judgeArgs({ title: 'buy-milk', tags: ['A', 'b'] })).toMatchObject({ parameterCorrectness: 1, expectedParameters: 3, parameterCompleteness: 1, passed: true });
    expect(judgeArgs({ title: 'Milk', due: '2026/01/01', tags: ['a', 'b'] })).toMatchObject({ matchedParameters: 3, parameterTypeConformance: false });
    expect(judgeArgs({ title: 'Milk', tags: ['b', 'a'] })).toMatchObject({ matchedParameters: 2, expectedParameters: 3 });
  });

  it('would catch an argument that is not listed and counts as nothing', () => {
    const score = judgeArgs({ title: 'milk', tags: ['a', 'b'], priority: 'low' });
    expect(score).toMatchObject({ matchedParameters: 3, expectedParameters: 4, hallucinatedParameters: [], passed: false });
    expect(verdictOf(score, 'priority')?.verdict).toBe('unexpected');
  });

  it('would catch an argument left out that may not be', () => {
    const score = judgeArgs({ title: 'milk' });
    expect(score).toMatchObject({ matchedParameters: 2, parameterCompleteness: 1 / 2, missingParameters: ['tags'] });
    expect(verdictOf(score, 'tags')).toMatchObject({ verdict: 'missing', reason: 'Left out; expected one of [["a","b"]].' });
  });
});

describe('properties', () => {
  const value = fc.oneof(fc.constantFrom<JsonValue>('milk', 'x', 1, null), fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }), fc.record({ p: fc.integer(), q: fc.string() }));
  const args = fc.dictionary(fc.constantFrom('title', 'due', 'priority', 'tags', 'made', '__proto__'), value, { noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
  const turn = (object: JsonValue): JsonValue =>
    typeof object !== 'object' || object === null || Array.isArray(object) ? object : Object.fromEntries(Object.entries(object).reverse().map(([key, each]) => [key, turn(each)]));

  it('would catch a score that depends on the order of properties', () => {
    fc.assert(
      fc.property(args, args, (wanted, sent) => {
        const score = (w: JsonValue, s: JsonValue) => run([expected('add_task', w as JsonObject)], [called('add_task', s as JsonObject)]);
        expect(score(turn(wanted), turn(sent))).toEqual(score(wanted, sent));
      }),
      { numRuns: 500 },
    );
  });

  it('would catch a score of the wrong shape or out of range', () => {
    fc.assert(
      fc.property(args, fc.option(args), (wanted, sent) => {
        const score = run([expected('add_task', wanted)], [called('add_task', sent, sent === null ? '{' : null)]);
        expect(scoreSchema.safeParse(score).error).toBeUndefined();
        expect(score.matchedParameters).toBeLessThanOrEqual(score.expectedParameters);
        if (score.passed) expect([score.parameterCompleteness, score.parameterCorrectness, score.parameterTypeConformance]).toEqual([1, 1, true]);
      }),
      { numRuns: 500 },
    );
  });

  it('would catch counts that change when servers are renamed', () => {
    const rename = (input: ScoreInput): ScoreInput => JSON.parse(JSON.stringify(input).replaceAll('"server":"s"', '"server":"zz"').replaceAll('"toolId":"s:', '"toolId":"zz:')) as ScoreInput;
    fc.assert(
      fc.property(fc.array(fc.constantFrom('add_task', 'list_tasks', 'delete_task'), { maxLength: 4 }), fc.array(fc.tuple(fc.constantFrom('add_task', 'list_tasks', 'nowhere'), args), { maxLength: 4 }), (wanted, made) => {
        const input: ScoreInput = {
          expectation: { expectedCalls: wanted.map((name) => expected(name, { title: 'milk' })), orderDependent: false, allowedCalls: [] },
          query: 'milk',
          calls: made.map(([name, each]) => called(name, each)),
          tools,
          confidence: null,
          highConfidence: 0.7,
          modelReasoning: null,
        };
        const [before, after] = [scoreRun(JSON.parse(JSON.stringify(input)) as ScoreInput, judge), scoreRun(rename(input), judge)];
        const numbers = ({ classification, units, parameterCompleteness, parameterCorrectness, parameterTypeConformance, hallucinatedParameters }: Score) => [
          classification,
          units.length,
          parameterCompleteness,
          parameterCorrectness,
          parameterTypeConformance,
          hallucinatedParameters,
        ];
        expect(numbers(after)).toEqual(numbers(before));
      }),
      { numRuns: 300 },
    );
  });
});

describe('scorerFingerprint', () => {
  it('would catch two settings under one fingerprint', () => {
    expect(scorerFingerprint({ highConfidence: 0.7 })).toBe(scorerFingerprint({ highConfidence: 0.7 }));
    expect(scorerFingerprint({ highConfidence: 0.7 })).not.toBe(scorerFingerprint({ highConfidence: 0.8 }));
    expect(scorerFingerprint()).toMatch(/^touchstone-scorer\/\d+ /);
  });
});
