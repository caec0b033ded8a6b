import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { AjvJudge } from '../../../scoring/ajvJudge.ts';
import { stem } from '../../../analysis/tokenizer.ts';
import { fillParameters } from './fillParameters.ts';
import { readQuery } from './queryReading.ts';
import { slotsOf } from './slots.ts';

const toolWords = new Set(['add', 'create', 'task', 'todo', 'search', 'find', 'send'].map(stem));
const fill = (
  properties: JsonObject,
  query: string,
  required: string[] = Object.keys(properties),
  context: string[] = [],
): JsonObject =>
  fillParameters({
    slots: slotsOf({ type: 'object', properties, required }),
    reading: readQuery(query),
    context: context.map(readQuery),
    isToolWord: (word) => toolWords.has(word),
  });

const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const title = { title: text };
const taskId = { task_id: { type: 'integer', minimum: 1 } };

describe('numbers', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    ['beside the name', taskId, 'complete task 42', { task_id: 42 }],
    ['with "number"', taskId, 'complete task number 42', { task_id: 42 }],
    ['with a hash', taskId, 'close #7 of the 3 that are open', { task_id: 7 }],
    ['alone', taskId, 'tick off 17', { task_id: 17 }],
    ['in words', taskId, 'task twenty-one is done', { task_id: 21 }],
    ['hundreds in words', { amount: integer }, 'transfer two hundred and five', { amount: 205 }],
    ['decimals', { price: number }, 'set it to 3.75', { price: 3.75 }],
    ['thousands', { amount: integer }, 'pay 1,250 now', { amount: 1250 }],
    ['millions', { population: number }, 'more than 2.5 million', { population: 2_500_000 }],
    ['in order', { a: integer, b: integer, c: integer }, 'sides 3, 4 and 5', { a: 3, b: 4, c: 5 }],
    [
      'by name before order',
      { limit: integer, task_id: integer },
      'task 9 with a limit of 3',
      { limit: 3, task_id: 9 },
    ],
    ['behind the number', { results: integer }, 'give me 5 results for 2026', { results: 5 }],
    ['per cent of one', { rate: { type: 'number', maximum: 1 } }, 'at 5%', { rate: 0.05 }],
    ['per cent of hundred', { rate: number }, 'at 5%', { rate: 5 }],
    ['negative', { temperature: number }, 'set to -4', { temperature: -4 }],
    ['no pronoun', taskId, 'delete that one', {}],
    ['no part of an id', taskId, 'delete it for bob-7', {}],
    ['no fraction for an integer', taskId, 'task 4.5', {}],
    ['out of bounds', { task_id: { type: 'integer', maximum: 10 } }, 'task 42', {}],
    ['no number in quotation marks', taskId, 'delete "agent 47"', {}],
    ['no number in a date', taskId, 'delete what is due on 2026-03-04', {}],
  ])('fills a number: %s', (_, properties, query, expected) => {
    expect(fill(properties, query)).toEqual(expected);
  });

  it('leaves out an optional number that the query does not name', () => {
    expect(fill({ limit: integer }, 'show the 3 cats', [])).toEqual({});
    expect(fill({ limit: integer }, 'show cats, limit 3', [])).toEqual({ limit: 3 });
  });
});

describe('identifiers', () => {
  const userId = { user_id: text };
  it.each<[string, string, JsonObject]>([
    ['its own prefix', 'tasks of user-123', { user_id: 'user-123' }],
    ['after its name', 'list the tasks for user alice', { user_id: 'alice' }],
    ['with "id is"', 'my user id is x9', { user_id: 'x9' }],
    ['assigned', 'list tasks, user_id: bob', { user_id: 'bob' }],
    ['a number as text', 'tasks of user 12', { user_id: '12' }],
    [
      'a UUID',
      'tasks of 123e4567-e89b-12d3-a456-426614174000',
      { user_id: '123e4567-e89b-12d3-a456-426614174000' },
    ],
    ['not a word of grammar', 'the user wants to see all', {}],
    ['not a quotation of something else', 'create "Buy milk"', {}],
    ['not a name in capitals', 'travel to Paris', {}],
  ])('fills an identifier: %s', (_, query, expected) => {
    expect(fill(userId, query)).toEqual(expected);
  });

  it('reads an identifier from the system prompt, after the query', () => {
    const system = "The signed-in user's id is u-1042.";
    expect(fill(userId, 'list tasks', ['user_id'], [system])).toEqual({ user_id: 'u-1042' });
    expect(fill(userId, 'list tasks of user bob-7', ['user_id'], [system])).toEqual({
      user_id: 'bob-7',
    });
    expect(fill(userId, 'list tasks', [], [system])).toEqual({});
  });
});

describe('texts', () => {
  const both = { title: text, description: text };
  it.each<[string, JsonObject, string[], string, JsonObject]>([
    ['the one quotation', title, ['title'], 'add "Buy milk"', { title: 'Buy milk' }],
    [
      'single quotation marks with an apostrophe',
      title,
      ['title'],
      "add 'Don't forget'",
      { title: "Don't forget" },
    ],
    [
      'two quotations by what announces them',
      both,
      ['title'],
      'add "A" with the description "B"',
      { title: 'A', description: 'B' },
    ],
    [
      'the same in the other order',
      both,
      ['title'],
      'with description "B", add a task titled "A"',
      { title: 'A', description: 'B' },
    ],
    [
      'called',
      title,
      ['title'],
      'create a task called Water the plants',
      { title: 'Water the plants' },
    ],
    [
      'until the next announcement',
      both,
      ['title'],
      'add a task called Sleep with description eight hours',
      { title: 'Sleep', description: 'eight hours' },
    ],
    ['renamed to a quotation', both, [], 'rename task 3 to "Oat milk"', { title: 'Oat milk' }],
    ['renamed to a phrase', both, [], 'rename task 3 to Oat milk', { title: 'Oat milk' }],
    [
      'the named one of two',
      both,
      [],
      'change the description of task 7 to "before noon"',
      { description: 'before noon' },
    ],
    [
      'assigned',
      both,
      [],
      'title: Oat milk; description: two litres',
      { title: 'Oat milk', description: 'two litres' },
    ],
    [
      'the rest of the request',
      title,
      ['title'],
      'Please add a task to buy milk, thanks',
      { title: 'buy milk' },
    ],
    ['behind a colon', title, ['title'], 'New task for user bob: send it', { title: 'send it' }],
    ['without the destination', title, ['title'], 'add milk to my list', { title: 'milk' }],
    ['nothing left', title, ['title'], 'add a task', {}],
    ['too long', { title: { type: 'string', maxLength: 3 } }, ['title'], 'add "Buy milk"', {}],
    ['optional and not named', both, [], 'add "Buy milk"', {}],
    [
      'a place',
      { location: text },
      ['location'],
      'weather in San Francisco, CA today',
      { location: 'San Francisco, CA' },
    ],
    ['a search', { query: text }, ['query'], 'search for red shoes', { query: 'red shoes' }],
  ])('fills a text: %s', (_, properties, required, query, expected) => {
    expect(fill(properties, query, required)).toEqual(expected);
  });
});

describe('typed values', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    [
      'an address',
      { recipient: text },
      'send it to ann@example.org.',
      { recipient: 'ann@example.org' },
    ],
    [
      'a URL',
      { url: text },
      'open https://example.org/a?b=1.',
      { url: 'https://example.org/a?b=1' },
    ],
    ['a path', { path: text }, 'read /etc/hosts now', { path: '/etc/hosts' }],
    ['a file', { file: text }, 'open notes.txt', { file: 'notes.txt' }],
    [
      'an ISO date',
      { due_date: { type: 'string', format: 'date' } },
      'due 2026-03-04',
      { due_date: '2026-03-04' },
    ],
    ['a spoken date', { date: text }, 'on March 4th, 2026', { date: '2026-03-04' }],
    [
      'a date that does not exist',
      { date: { type: 'string', format: 'date' } },
      'on 2026-02-30',
      {},
    ],
    ['an unclear date', { date: { type: 'string', format: 'date' } }, 'on 03/04/2026', {}],
    ['no date for "tomorrow"', { date: { type: 'string', format: 'date' } }, 'do it tomorrow', {}],
    ['"tomorrow" as text', { date: text }, 'do it tomorrow', { date: 'tomorrow' }],
    ['a time', { time: text }, 'at 5:30 pm', { time: '17:30' }],
    ['midnight', { time: text }, 'at 12 am', { time: '00:00' }],
    [
      'a moment',
      { start: { type: 'string', format: 'date-time' } },
      'on 2026-03-04 at 17:30',
      { start: '2026-03-04T17:30:00Z' },
    ],
    [
      'an enum',
      { unit: { enum: ['celsius', 'fahrenheit'] } },
      'in Fahrenheit please',
      { unit: 'fahrenheit' },
    ],
    [
      'an enum of two words',
      { state: { enum: ['open', 'in_progress'] } },
      'those in progress',
      { state: 'in_progress' },
    ],
    [
      'an enum after "to"',
      { level: { enum: ['low', 'high'] } },
      'from low to high',
      { level: 'high' },
    ],
    ['no letter for an enum', { unit: { enum: ['C', 'F'] } }, 'a cat', {}],
    [
      'true',
      { include_completed: { type: 'boolean' } },
      'including the completed ones',
      { include_completed: true },
    ],
    [
      'false',
      { include_completed: { type: 'boolean' } },
      'without the completed ones',
      { include_completed: false },
    ],
    ['const', { version: { const: 2 } }, 'anything', { version: 2 }],
    ['default', { size: { type: 'integer', default: 10 } }, 'anything', { size: 10 }],
    [
      'a list of numbers',
      { ids: { type: 'array', items: integer } },
      'delete 2, 3 and 5',
      { ids: [2, 3, 5] },
    ],
    [
      'a list of words',
      { tags: { type: 'array', items: text } },
      'with tags home, work and urgent',
      { tags: ['home', 'work', 'urgent'] },
    ],
    [
      'a list of enums',
      { days: { type: 'array', items: { enum: ['mon', 'tue', 'wed'] } } },
      'on wed and mon',
      { days: ['wed', 'mon'] },
    ],
    [
      'a nested object',
      { task: { type: 'object', properties: { id: integer }, required: ['id'] } },
      'do 4',
      { task: { id: 4 } },
    ],
    [
      'an empty nested object',
      { task: { type: 'object', properties: { id: integer } } },
      'do it',
      {},
    ],
    ['a nullable type', { n: { type: ['null', 'integer'] } }, 'do 4', { n: 4 }],
    ['an alternative', { n: { anyOf: [{ type: 'null' }, { type: 'integer' }] } }, 'do 4', { n: 4 }],
  ])('fills a typed value: %s', (_, properties, query, expected) => {
    expect(fill(properties, query)).toEqual(expected);
  });

  it('follows references, and ends where one refers to itself', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/id' }, b: { $ref: '#/properties/b' } },
      required: ['a', 'b'],
      $defs: { id: integer },
    };
    const input = {
      slots: slotsOf(schema),
      reading: readQuery('take 4'),
      context: [],
      isToolWord: () => false,
    };
    expect(fillParameters(input)).toMatchObject({ a: 4 });
  });
});

describe('arbitrary schemas and queries', () => {
  const judge = new AjvJudge();
  const schemas = fc.constantFrom<JsonObject>(
    text,
    integer,
    number,
    { type: 'boolean' },
    { type: 'string', maxLength: 5 },
    { type: 'integer', minimum: 3, maximum: 40 },
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'email' },
    { type: 'string', format: 'uri' },
    { enum: ['red', 'green', 3] },
    { type: 'array', items: integer },
    { type: 'array', items: text, maxItems: 2 },
    { type: 'object', properties: { name: text, count: integer } },
    { type: 'string', format: 'constructor' },
    { $ref: '#' },
    { type: 'nonsense' },
    {},
  );
  const names = fc.constantFrom(
    'title',
    'user_id',
    'due_date',
    'email',
    'path',
    'count',
    'tags',
    'completed',
    '__proto__',
    'constructor',
    'Ünïcode',
    '',
  );
  const words = fc.constantFrom(
    'task',
    '42',
    'twenty',
    '"quoted text"',
    'red',
    'to',
    'called',
    'with',
    'user alice',
    '2026-03-04',
    '5 pm',
    'a@b.co',
    'http://x.y/z',
    '/tmp/a.txt',
    'not completed',
    ':',
    '#7',
    "'",
    '𝒳',
    'count 3',
    '1,000',
  );

  it('fills arguments that conform to the schema and come from the query or schema', () => {
    fc.assert(
      fc.property(
        fc.dictionary(names, schemas, { noNullPrototype: true }),
        fc.array(words, { maxLength: 12 }),
        (properties, parts) => {
          const query = parts.join(' ');
          const args = fill(properties, query);
          expect(fill(properties, query)).toEqual(args);
          expect(
            judge.validate({ type: 'object', properties }, args).outcome,
            JSON.stringify({ properties, args }),
          ).not.toBe('violates');
          for (const [name, value] of Object.entries(args)) {
            expect(Object.hasOwn(properties, name)).toBe(true);
            const schema = properties[name];
            if (typeof value === 'string' && schema === text && !/date|time/u.test(name))
              expect(query).toContain(value);
          }
        },
      ),
    );
  });

  it('takes little time for long queries and many parameters', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`field_${at}`, text]),
    );
    for (const query of [
      'a'.repeat(200_000),
      "'".repeat(50_000),
      '1,'.repeat(50_000),
      'a.'.repeat(50_000),
      '/a'.repeat(50_000),
      ' to'.repeat(50_000),
      '"x" '.repeat(20_000),
    ]) {
      const began = performance.now();
      fill(properties, query);
      expect(performance.now() - began).toBeLessThan(5000);
    }
  });
});
