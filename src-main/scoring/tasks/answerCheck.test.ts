import { describe, expect, it } from 'vitest';
import { taskCheck, type AnswerCheck } from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../ajvJudge.ts';
import { judgeAnswer } from './answerCheck.ts';
import { jsonInText, numbersInText } from './answerParts.ts';
import { callOf, runOf, stepOf } from './trajectory.fixture.ts';

const judge = new AjvJudge();
const judged = (answer: string | null, given: Omit<AnswerCheck, 'id' | 'kind'>) =>
  judgeAnswer(
    taskCheck.parse({ id: 'answer', kind: 'answer', ...given }) as AnswerCheck,
    runOf([], answer),
    judge,
  );

describe('the numbers in a message', () => {
  it.each<[string, string | null, number[]]>([
    ['It is 21.5 °C.', null, [21.5]],
    ['It is −3,5 degrees', null, [-3.5]],
    ['1,234 of 1,234,567 files', null, [1234, 1_234_567]],
    ['1.234,56 € and 1,234.56 $', null, [1234.56, 1234.56]],
    ['12 345 lines, 3’000 CHF', null, [12_345, 3000]],
    ['1.000.000 people in 2021', null, [1_000_000, 2021]],
    ['task-77 and v2', null, []],
    ['5 kg, 7 km and 9 kgs', 'kg', [5]],
    ['$40 and €50', '$', [40]],
    ['USD 12 or 13 usd', 'USD', [12, 13]],
    ['80% of 50', '%', [80]],
    ['nothing', null, []],
  ])('of %j with the unit %s are %j', (text, unit, numbers) => {
    expect(numbersInText(text, unit)).toEqual(numbers);
  });
});

describe('the JSON in a message', () => {
  it.each<[string, unknown[]]>([
    ['{"a": 1}', [{ a: 1 }]],
    ['Here:\n```json\n{"a": 1}\n```\nand\n```\n[2]\n```', [{ a: 1 }, [2]]],
    ['The order is {"a": "}"} and the list [1, 2].', [{ a: '}' }, [1, 2]]],
    ['see [the docs] and {"a": 1}', [{ a: 1 }]],
    ['no JSON', []],
    ['{"a": ', []],
  ])('of %j is found', (text, values) => {
    expect(jsonInText(text)).toEqual(values);
  });

  it('is looked for in bounded time, whatever brackets a message has', () => {
    expect(jsonInText('{['.repeat(50_000))).toEqual([]);
    expect(jsonInText(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)).toEqual([]);
  });
});

describe('an answer check that reads the language', () => {
  const read = 'language' as const;
  const german = 'Ich habe die Aufgabe zu deiner Liste hinzugefügt.';
  const english = 'I have added the task to your list.';
  it.each<[string, AnswerCheck['expected'], boolean | null, string]>([
    [german, 'de', true, 'The last message matches.'],
    [english, 'de', false, 'The last message: expected "de", got "en".'],
    [german, { $any: ['en', 'de'] }, true, 'The last message matches.'],
    ['OK', 'de', null, 'The last message: its language is not clear.'],
    [german, null, null, 'The last message: the language of the user is not clear.'],
  ])('judges %j by %j', (answer, expected, passed, reason) => {
    expect(judged(answer, { expected, read })).toMatchObject({ passed, reason });
  });

  it('fails where the model wrote nothing', () => {
    expect(judged(null, { expected: 'de', read })).toMatchObject({ passed: false });
  });

  it.each([
    ['Ok', english, null],
    [english, 'Ok', null],
    [english, german, true],
    [english, english, false],
  ])(
    'of any message leaves %j and %j undecided only where one is not clear',
    (one, other, passed) => {
      const check = taskCheck.parse({
        ...{ id: 'answer', kind: 'answer', expected: 'de', read, message: 'any' },
      }) as AnswerCheck;
      const run = { ...runOf([], null), steps: [stepOf([], one), stepOf([], other)] };
      expect(judgeAnswer(check, run, judge).passed).toBe(passed);
    },
  );

  it('accepts known codes, matchers and the language of the user, and names the wrong code', () => {
    const parse = (expected: unknown) =>
      taskCheck.safeParse({ id: 'answer', kind: 'answer', read, expected });
    expect(parse('{{user_language}}').success).toBe(true);
    expect(parse({ $ignore: true }).success).toBe(true);
    expect(parse('german').error?.issues[0]?.message).toContain('"german"');
  });
});

describe('an answer check that reads a number', () => {
  const read = 'number' as const;
  it.each<[string, Omit<AnswerCheck, 'id' | 'kind' | 'read'>, boolean]>([
    ['It is 42.', { expected: 42 }, true],
    ['It is 41.8.', { expected: 42 }, false],
    ['It is 41.8.', { expected: 42, tolerance: 0.2 }, true],
    ['It is 41.8.', { expected: 42, tolerance: 0.1 }, false],
    ['It is 41.8.', { expected: 42, tolerance: '1%' }, true],
    ['It is 41.5.', { expected: 42, tolerance: '1%' }, false],
    ['5 kg for $42', { expected: 42, unit: 'kg' }, false],
    ['5 kg for $42', { expected: { $gte: 40 }, unit: '$' }, true],
    ['About a dozen.', { expected: 12 }, false],
  ])('judges %j by %j', (answer, check, passed) => {
    expect(judged(answer, { ...check, read }).passed).toBe(passed);
  });

  it('says what it expected and got', () => {
    expect(judged('5 kg or 6 kg', { read, expected: 7, unit: 'kg', tolerance: 0.5 })).toMatchObject(
      {
        reason: 'The last message: expected 7 ± 0.5 kg, got 5, 6.',
        actual: [5, 6],
      },
    );
    expect(judged('5 lb', { read, expected: 7, unit: 'kg' }).reason).toBe(
      'The last message: It has no number with the unit kg.',
    );
  });
});

describe('an answer check that reads JSON', () => {
  const read = 'json' as const;
  const answer = 'Done:\n```json\n{"order": {"total": 3, "items": ["a"]}}\n```';
  const schema = {
    type: 'object',
    required: ['order'],
    properties: { order: { $ref: '#/$defs/order' } },
    $defs: { order: { type: 'object', required: ['total'] } },
  };
  it.each<[string, Omit<AnswerCheck, 'id' | 'kind' | 'read'>, boolean]>([
    ['a value by pointer', { at: '/order/total', expected: 3 }, true],
    ['another value', { at: '/order/total', expected: 4 }, false],
    ['a pointer to nothing', { at: '/total', expected: 3 }, false],
    ['a matcher', { at: '/order', expected: { $partial: { items: ['a'] } } }, true],
    ['a schema', { expected: { $ignore: true }, schema }, true],
    [
      'a name that the schema requires',
      { expected: { $ignore: true }, schema: { ...schema, required: ['id'] } },
      false,
    ],
    [
      'a name that the schema forbids',
      { expected: { $ignore: true }, schema: { type: 'object', additionalProperties: false } },
      false,
    ],
  ])('judges %s', (_name, check, passed) => {
    expect(judged(answer, { ...check, read }).passed).toBe(passed);
  });

  it('fails a message without JSON, and says so', () => {
    expect(judged('Done.', { read, expected: { $ignore: true } })).toMatchObject({
      passed: false,
      reason: 'The last message: It has no JSON.',
    });
  });
});

describe('an answer check of any message', () => {
  const run = {
    ...runOf([], 'Anything else?'),
    steps: [stepOf([callOf('add_task')], 'Your code is 77.'), stepOf([], 'Anything else?')],
  };
  const check = (given: object): AnswerCheck =>
    taskCheck.parse({
      id: 'a',
      kind: 'answer',
      expected: { $contains: '77' },
      ...given,
    }) as AnswerCheck;

  it('passes if an earlier message matches, where the last one would not', () => {
    expect(judgeAnswer(check({}), run, judge).passed).toBe(false);
    expect(judgeAnswer(check({ message: 'any' }), run, judge).passed).toBe(true);
    expect(
      judgeAnswer(check({ message: 'any', expected: 77, read: 'number' }), run, judge),
    ).toEqual({ id: 'a', kind: 'answer', passed: true, reason: 'A message matches.' });
  });

  it('fails if none matches, or there is none', () => {
    const other = check({ message: 'any', expected: { $contains: '99' } });
    expect(judgeAnswer(other, run, judge).passed).toBe(false);
    expect(judgeAnswer(other, runOf([], null), judge)).toMatchObject({
      passed: false,
      reason: 'No message matches: the model wrote none.',
    });
  });
});

it('refuses what has no meaning for how a message is read', () => {
  for (const given of [{ at: '/a' }, { read: 'json', unit: 'kg' }, { tolerance: 1 }])
    expect(() => taskCheck.parse({ id: 'a', kind: 'answer', expected: 1, ...given })).toThrow();
});
