import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import { AjvJudge, dialectOf } from './ajvJudge.ts';

let judge: AjvJudge;
beforeAll(() => {
  judge = new AjvJudge();
});

function outcome(schema: JsonObject, args: JsonObject): string {
  return judge.validate(schema, args).outcome;
}

describe('AjvJudge.validate', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'a format',
      { properties: { day: { type: 'string', format: 'date' } } },
      { day: 'tomorrow' },
      'violates',
    ],
    ['a type', { properties: { a: { type: 'integer' } } }, { a: '5' }, 'violates'],
    ['1.0 for an integer', { properties: { a: { type: 'integer' } } }, { a: 1.0 }, 'conforms'],
    ['a name missing at the top', { properties: { a: {} }, required: ['a'] }, {}, 'conforms'],
    [
      'a name missing further in',
      { properties: { o: { required: ['a'] } } },
      { o: {} },
      'violates',
    ],
    [
      'an unknown name at the top',
      { properties: {}, additionalProperties: false },
      { x: 1 },
      'conforms',
    ],
    [
      'an unevaluated name at the top',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { x: 1 },
      'conforms',
    ],
    [
      'an unknown name further in',
      { properties: { o: { additionalProperties: false } } },
      { o: { x: 1 } },
      'violates',
    ],
    [
      'a choice that nothing satisfies',
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      'violates',
    ],
    [
      'a wrong value behind a missing name',
      { properties: { a: { type: 'string' } }, required: ['b'] },
      { a: 1 },
      'violates',
    ],
    [
      'a local reference',
      { properties: { a: { $ref: '#/$defs/s' } }, $defs: { s: { type: 'string' } } },
      { a: 1 },
      'violates',
    ],
    [
      'a recursive reference',
      {
        $ref: '#/$defs/n',
        $defs: { n: { properties: { v: { type: 'number' }, next: { $ref: '#/$defs/n' } } } },
      },
      { next: { next: { v: 'x' } } },
      'violates',
    ],
    [
      'a dynamic reference',
      { $dynamicAnchor: 'n', properties: { v: { type: 'number' }, next: { $dynamicRef: '#n' } } },
      { next: { v: 'x' } },
      'violates',
    ],
    [
      'prefixItems of 2020-12',
      { properties: { t: { type: 'array', prefixItems: [{ type: 'string' }] } } },
      { t: [1] },
      'violates',
    ],
    [
      'a tuple of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { t: { items: [{ type: 'string' }] } },
      },
      { t: [1] },
      'violates',
    ],
    [
      'prefixItems in draft-07, which has none',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { t: { prefixItems: [{ type: 'string' }] } },
      },
      { t: [1] },
      'conforms',
    ],
    [
      'definitions of draft-07',
      {
        $schema: 'https://json-schema.org/draft-07/schema',
        properties: { a: { $ref: '#/definitions/p' } },
        definitions: { p: { exclusiveMinimum: 0 } },
      },
      { a: 0 },
      'violates',
    ],
    [
      'a pattern that the u flag refuses',
      { properties: { a: { pattern: '^[\\w-.]+$' } } },
      { a: 'a b' },
      'violates',
    ],
    ['an unknown format', { properties: { a: { format: 'colour' } } }, { a: 'x' }, 'conforms'],
    ['null for a string', { properties: { a: { type: 'string' } } }, { a: null }, 'violates'],
    [
      'a keyword that it does not know',
      { 'x-order': 1, properties: { a: { 'x-hint': true, type: 'string' } } },
      { a: 'x' },
      'conforms',
    ],
  ])('judges %s', (_title, schema, args, expected) => {
    expect(outcome(schema, args)).toBe(expected);
  });

  it('names the argument and the allowed values in its reason', () => {
    const verdict = judge.validate({ properties: { kind: { enum: ['a', 'b'] } } }, { kind: 'c' });
    expect(verdict).toEqual({
      outcome: 'violates',
      reason: '/kind must be equal to one of the allowed values: ["a","b"]',
      name: 'kind',
    });
  });

  it.each<[string, JsonObject]>([
    ['T36: draft-04', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['an unknown dialect', { $schema: 'https://example.test/my-schema' }],
    ['a $schema that is no text', { $schema: 4 }],
    ['T36: a remote reference', { properties: { b: { $ref: 'http://127.0.0.1:9/x.json' } } }],
    ['a reference to nothing', { properties: { b: { $ref: '#/$defs/none' } } }],
    ['a type that does not exist', { properties: { b: { type: 'text' } } }],
    ['a pattern that is none', { properties: { b: { pattern: '(' } } }],
  ])('decides the other keywords of a schema with %s', (_title, { properties = {}, ...schema }) => {
    const whole = { ...schema, properties: { ...(properties as JsonObject), a: { maximum: 5 } } };
    expect(outcome(whole, { a: 1, b: 'x' })).toBe('conforms');
    expect(outcome(whole, { a: 6, b: 'x' })).toBe('violates');
  });

  it('keeps schemas with the same $id apart, at the root and nested', () => {
    const schema = (type: string): JsonObject => ({
      $id: 'shared.json',
      properties: { a: { $ref: 'part.json' } },
      $defs: { p: { $id: 'part.json', type } },
    });
    expect([
      outcome(schema('string'), { a: 'x' }),
      outcome(schema('number'), { a: 'x' }),
      outcome(schema('string'), { a: 1 }),
    ]).toEqual(['conforms', 'violates', 'violates']);
  });

  it('T36: treats __proto__ as an ordinary property name', () => {
    const schema = JSON.parse(
      '{"properties":{"a":{"type":"string"},"__proto__":{"type":"number"}},"required":["__proto__"],"additionalProperties":false}',
    ) as JsonObject;
    const args = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"a":1}') as JsonObject;
    expect(outcome(schema, args)).toBe('violates');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('finds no argument that only every object inherits', () => {
    const named = { constructor: { type: 'integer' }, toString: { type: 'string' } };
    const inner = { type: 'object', properties: { it: { type: 'object', properties: named } } };
    expect(judge.validate({ type: 'object', properties: named }, {}).outcome).toBe('conforms');
    expect(judge.validate(inner, { it: {} }).outcome).toBe('conforms');
    const demands: JsonObject[] = [
      { required: ['valueOf'] },
      { dependentRequired: { a: ['hasOwnProperty'] } },
      { dependentSchemas: { a: { required: ['isPrototypeOf'] } } },
    ];
    for (const demand of demands)
      expect(judge.validate({ properties: { it: demand } }, { it: { a: 1 } }).outcome).toBe(
        'violates',
      );
    const unaskedOnes: JsonObject[] = [
      { dependentRequired: { toString: ['a'] } },
      { dependentSchemas: { constructor: false } },
      { not: { required: ['constructor'] } },
    ];
    for (const unasked of unaskedOnes) expect(judge.validate(unasked, {}).outcome).toBe('conforms');
  });

  it('T36: leaves schemas and arguments nested deeper than 256 levels undecided', () => {
    let deepSchema: JsonObject = {};
    let deepArgs: JsonValue = 1;
    for (let level = 0; level < 6000; level += 1) {
      deepSchema = { properties: { a: deepSchema } };
      deepArgs = { a: deepArgs };
    }
    expect(judge.validate(deepSchema, {})).toMatchObject({
      outcome: 'undecided',
      reason: 'It is nested deeper than 256 levels at /properties/a.',
    });
    expect(judge.cannotDecide(deepSchema)).toBe(
      'It is nested deeper than 256 levels at /properties/a.',
    );
    expect(judge.cannotDecide({ type: 'object', items: deepSchema })).toBe(
      'It is nested deeper than 256 levels at /items/properties.',
    );
    expect(judge.cannotDecide({ properties: { b: {}, 'c/d': deepSchema } })).toBe(
      'It is nested deeper than 256 levels at /properties/c~1d.',
    );
    expect(judge.cannotDecide({})).toBeNull();
    expect(judge.validate({}, { a: deepArgs })).toMatchObject({
      outcome: 'undecided',
      reason: 'The arguments are nested deeper than 256 levels.',
    });
  });

  it('T36: validates an array of 100,000 items', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => index);
    expect(outcome({ properties: { items: { items: { type: 'number' } } } }, { items })).toBe(
      'conforms',
    );
    expect(outcome({ properties: { items: { items: { type: 'string' } } } }, { items })).toBe(
      'violates',
    );
  });

  it('keeps its verdicts correct after it has replaced its validators', () => {
    for (let index = 0; index < 650; index += 1) {
      const schema: JsonObject = {
        $id: 'same.json',
        properties: { [`p${index}`]: { type: index % 2 === 0 ? 'string' : 'number' } },
      };
      expect(outcome(schema, { [`p${index}`]: 'x' })).toBe(
        index % 2 === 0 ? 'conforms' : 'violates',
      );
    }
    expect(
      outcome(
        {
          $schema: 'http://json-schema.org/draft-07/schema#',
          properties: { a: { type: 'string' } },
        },
        { a: 1 },
      ),
    ).toBe('violates');
  });
});

describe('AjvJudge.matchesRegex', () => {
  it('matches unanchored Unicode patterns and leaves invalid ones undecided', () => {
    expect(judge.matchesRegex('b', 'abc')).toBe(true);
    expect(judge.matchesRegex('^b', 'abc')).toBe(false);
    expect(judge.matchesRegex('^\\p{L}+$', 'é')).toBe(true);
    expect(judge.matchesRegex('^b', 'bcd')).toBe(true);
    expect(judge.matchesRegex('(', 'x')).toMatchObject({ outcome: 'undecided' });
  });
});

describe('dialectOf', () => {
  it('recognizes 2020-12 and draft-07 and rejects other dialects', () => {
    const of = ($schema?: JsonValue) => dialectOf($schema === undefined ? {} : { $schema });
    expect(of()).toBe('2020-12');
    expect(of('https://json-schema.org/draft/2020-12/schema')).toBe('2020-12');
    expect(of('http://json-schema.org/draft-07/schema#')).toBe('draft-07');
    expect([
      of('http://json-schema.org/draft-06/schema#'),
      of('https://json-schema.org/draft/2019-09/schema'),
      of(''),
    ]).toEqual([null, null, null]);
  });
});
