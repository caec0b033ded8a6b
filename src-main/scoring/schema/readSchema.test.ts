import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import type { ActualCall } from '../../../src-shared/domain/observation.ts';
import { draws } from '../../testing/nightly.ts';
import { AjvJudge } from '../ajvJudge.ts';
import { scoreRun } from '../scoreRun.ts';
import { readSchema } from './readSchema.ts';

const judge = new AjvJudge();
const outcome = (schema: JsonObject, args: JsonObject): string =>
  judge.validate(schema, args).outcome;
const unreadable = (schema: JsonObject): string[] =>
  readSchema(schema).unreadable.map(({ path, reason }) => `${path}: ${reason}`);
/** The verdict on one parameter `a`, of which a schema says this. */
const on = (schema: JsonValue, a: JsonValue, more: JsonObject = {}): string =>
  outcome({ ...more, properties: { a: schema } }, { a });

describe('annotations', () => {
  const names = [
    ...['title', 'description', 'examples', 'example', 'default', 'deprecated', 'readOnly'],
    ...['writeOnly', '$comment', 'markdownDescription', 'contentEncoding', 'contentMediaType'],
    ...[
      'contentSchema',
      'discriminator',
      'xml',
      'externalDocs',
      'x-order',
      'enumNames',
      '$vocabulary',
    ],
  ];
  const values: JsonValue[] = [
    null,
    7,
    'text',
    true,
    [],
    ['('],
    {},
    { pattern: '(', type: 'none' },
  ];
  it.each(names)('%s decides nothing, whatever its value is', (name) => {
    for (const value of values) {
      const schema = { type: 'integer', [name]: value };
      expect(unreadable({ [name]: value, properties: { a: schema } })).toEqual([]);
      expect([on(schema, 1, { [name]: value }), on(schema, 'x', { [name]: value })]).toEqual([
        'conforms',
        'violates',
      ]);
    }
  });
});

describe('a keyword that cannot be read', () => {
  it.each<[string, JsonValue, string]>([
    ['a minimum that is null', { minimum: null }, '/minimum: it is not a number'],
    ['a maximum that is a text', { maximum: '5' }, '/maximum: it is not a number'],
    ['a length that is a text', { minLength: '3' }, '/minLength: it is not a whole number from 0'],
    ['a negative length', { maxLength: -1 }, '/maxLength: it is not a whole number from 0'],
    ['a step of 0', { multipleOf: 0 }, '/multipleOf: it is not a number above 0'],
    ['an empty enum', { enum: [] }, '/enum: it lists no value'],
    ['an enum that is a text', { enum: 'a, b' }, '/enum: it is not a list'],
    ['an unknown type', { type: 'file' }, `/type: "file" isn't a type`],
    ['a type that is null', { type: null }, `/type: null isn't a type`],
    ['a type of no types', { type: [] }, '/type: it names no type'],
    ['a type among others', { type: ['string', 'money'] }, `/type: "money" isn't a type`],
    ['an invalid pattern', { pattern: '(?<x' }, `/pattern: it isn't a pattern of ECMAScript`],
    ['a possessive pattern', { pattern: '^a++$' }, `/pattern: it isn't a pattern of ECMAScript`],
    ['a pattern that is null', { pattern: null }, '/pattern: it is not a text'],
    ['a format that is null', { format: null }, '/format: it is not a text'],
    ['required names in one text', { required: 'a' }, '/required: it is not a list of names'],
    ['required names that are null', { required: null }, '/required: it is not a list of names'],
    ['a required name that is no text', { required: [1] }, '/required: not every name is a text'],
    ['properties that are null', { properties: null }, '/properties: it is not an object'],
    ['a property that is null', { properties: { b: null } }, `/properties/b: null isn't a schema`],
    ['items that are null', { items: null }, `/items: null isn't a schema`],
    ['an empty anyOf', { anyOf: [] }, '/anyOf: it lists no schema'],
    ['an empty oneOf', { oneOf: [] }, '/oneOf: it lists no schema'],
    ['an allOf that is null', { allOf: null }, '/allOf: it is not a list'],
    ['a not that is null', { not: null }, `/not: null isn't a schema`],
    ['an if that is a text', { if: 'x', then: false, else: {} }, `/if: "x" isn't a schema`],
    [
      'additional properties in quotes',
      { additionalProperties: 'false' },
      `/additionalProperties: "false" isn't a schema`,
    ],
    [
      'a remote reference',
      { $ref: 'https://example.test/x.json' },
      '/$ref: "https://example.test/x.json" leads to nothing in this schema',
    ],
    [
      'a reference to nothing',
      { $ref: '#/$defs/b' },
      '/$ref: "#/$defs/b" leads to nothing in this schema',
    ],
    ['a reference to itself', { $ref: '#/properties/a' }, '/$ref: it refers to itself'],
    [
      'a pattern of names',
      { patternProperties: { '(': false }, additionalProperties: false },
      `/patternProperties/(#name: the name isn't a pattern of ECMAScript`,
    ],
    [
      'an exclusive limit without one',
      { exclusiveMinimum: true },
      '/exclusiveMinimum: it is true, and there is no minimum',
    ],
    ['dependencies that are a list', { dependencies: ['a'] }, '/dependencies: it is not an object'],
  ])('%s decides nothing and is named', (_title, schema, problem) => {
    expect(unreadable({ properties: { a: schema } })).toContain(`/properties/a${problem}`);
    for (const value of ['x', 5, { b: 1 }, ['x']] as JsonValue[])
      expect(on(schema, value), JSON.stringify(value)).toBe('conforms');
  });

  it('leaves the other keywords of its schema in force', () => {
    expect(on({ type: 'string', pattern: '(', maxLength: 2 }, 'abc')).toBe('violates');
    expect(on({ anyOf: [null, { type: 'number' }], maximum: 3 }, 5)).toBe('violates');
  });

  it.each<[string, JsonValue, JsonValue[], JsonValue[]]>([
    ['not', { not: { pattern: '(' } }, ['x', 1], []],
    ['not, next to another keyword', { not: { type: 'string', minLength: null } }, ['x', 1], []],
    ['two nots', { not: { not: { type: 'string', pattern: '(' } } }, ['x'], [1]],
    [
      'a branch of oneOf',
      { oneOf: [{ type: 'string', pattern: '(' }, { type: 'number' }] },
      ['x', 1],
      [true],
    ],
    [
      'a oneOf of which two fit',
      { oneOf: [{ type: 'string', pattern: '(' }, {}, {}] },
      [],
      ['x', 1],
    ],
    [
      'an if',
      { if: { pattern: '(' }, then: { type: 'string' }, else: { type: 'number' } },
      ['x', 1],
      [true],
    ],
    ['a then', { if: { type: 'string' }, then: { pattern: '(', maxLength: 2 } }, ['x', 1], ['abc']],
    ['contains', { contains: { type: 'string', pattern: '(' } }, [['x']], [[1], []]],
    [
      'contains with a maximum',
      { contains: { minLength: '1' }, maxContains: 1 },
      [['x', 'y']],
      [[]],
    ],
    [
      'contains that must fail',
      { contains: { type: 'string', minLength: '1' }, minContains: 0, maxContains: 0 },
      [['x'], [1]],
      [],
    ],
    ['a name', { propertyNames: { pattern: '(' } }, [{ b: 1 }], []],
    ['a reference under not', { not: { $ref: '#/$defs/p' } }, ['x', 1], []],
    [
      'a schema that evaluates',
      { allOf: [{ properties: null }], unevaluatedProperties: false },
      [{ b: 1 }],
      [],
    ],
  ])('under %s refuses only what is refused whatever it means', (_title, schema, fits, fails) => {
    const more = { $defs: { p: { type: 'string', pattern: '(' } } };
    for (const value of fits)
      expect(on(schema, value, more), JSON.stringify(value)).toBe('conforms');
    for (const value of fails)
      expect(on(schema, value, more), JSON.stringify(value)).toBe('violates');
  });
});

describe('readSchema', () => {
  it('reads schemas of true and false, lists of types, and recursion', () => {
    expect(outcome({ properties: { a: false } }, { a: 1 })).toBe('violates');
    expect(outcome({ properties: { a: true } }, { a: 1 })).toBe('conforms');
    const tree = {
      properties: { tree: { $ref: '#/definitions/node' } },
      definitions: {
        node: { type: ['object', 'null'], properties: { next: { $ref: '#/definitions/node' } } },
      },
    };
    expect(outcome(tree, { tree: { next: { next: null } } })).toBe('conforms');
    expect(outcome(tree, { tree: { next: { next: 1 } } })).toBe('violates');
    expect(unreadable(tree)).toEqual([]);
  });

  it('resolves addresses, anchors and the first of two equal ids', () => {
    const schema = {
      $id: 'https://example.test/tool.json',
      properties: {
        byPath: { $ref: 'parts/day.json#/$defs/short' },
        byAnchor: { $ref: '#when' },
        byId: { $ref: 'https://example.test/parts/day.json' },
      },
      $defs: {
        day: { $id: 'parts/day.json', type: 'string', $defs: { short: { maxLength: 2 } } },
        twin: { $id: 'parts/day.json', type: 'number' },
        when: { $anchor: 'when', type: 'boolean' },
      },
    };
    expect(unreadable(schema)).toEqual([]);
    expect(outcome(schema, { byPath: 'ab', byAnchor: true, byId: 'x' })).toBe('conforms');
    for (const args of [{ byPath: 'abc' }, { byAnchor: 1 }, { byId: 1 }] as JsonObject[])
      expect(outcome(schema, args)).toBe('violates');
  });

  it('compares numbers without loss, with a keyword next to them that decides nothing', () => {
    const price = { type: 'number', multipleOf: 0.01, minimum: null };
    expect([on(price, 19.99), on(price, 19.995)]).toEqual(['conforms', 'violates']);
  });

  it('reads a chain of 2,000 references and 2,000 nested levels without recursion', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
    );
    expect(unreadable({ $ref: '#/$defs/d0', $defs: definitions })).toHaveLength(1);
    let deep: JsonObject = {};
    for (let level = 0; level < 2000; level += 1) deep = { not: deep };
    expect(unreadable(deep)[0]).toMatch(/nested deeper than 256 levels$/);
  });
});

describe('any schema', () => {
  const broken = fc.constantFrom<JsonObject>(
    { pattern: '(' },
    { pattern: '\\G' },
    { minLength: '1' },
    { minimum: null },
    { enum: 'a' },
    { type: 'money' },
    { allOf: [null] },
    { $ref: 'other.json' },
    { properties: 5, additionalProperties: false },
    { required: null },
  );
  /** Places in which a schema that can't be read could let a right value pass. */
  const place = fc.constantFrom<(schema: JsonObject) => JsonObject>(
    (schema) => schema,
    (schema) => ({ not: schema }),
    (schema) => ({ not: { not: schema } }),
    (schema) => ({ anyOf: [schema, false] }),
    (schema) => ({ oneOf: [schema, false] }),
    (schema) => ({ oneOf: [schema, true] }),
    (schema) => ({ allOf: [{ oneOf: [schema, { not: schema }] }] }),
  );
  /** Outermost only: drafts before draft-07 don't have these keywords, so nothing is refused there. */
  const condition = fc.constantFrom<(schema: JsonObject) => JsonObject>(
    (schema) => ({ if: schema, then: false }),
    (schema) => ({ if: schema, then: {}, else: false }),
    (schema) => ({ propertyNames: schema, contains: schema, maxContains: 0 }),
  );
  const dialects = [
    undefined,
    null,
    '',
    'https://example.test/own',
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema#',
    'https://spec.openapis.org/oas/3.0/schema/2021-09-28',
  ];
  const part = fc
    .tuple(fc.oneof(place, condition), place, broken)
    .map(([outer, inner, schema]) => outer(inner(schema)));
  const schemas = fc
    .record({ dialect: fc.constantFrom(...dialects), day: part, n: broken, whole: broken })
    .map(({ dialect, day, n, whole }): JsonObject => ({
      dependencies: { n: whole },
      description: null,
      ...(dialect === undefined ? {} : { $schema: dialect }),
      properties: { day: { type: 'string', allOf: [day] }, n: { maximum: 9, ...n } },
    }));

  const passed = (schema: JsonObject, args: JsonObject | null): boolean | null => {
    const call: ActualCall = {
      id: '1',
      server: 's',
      tool: 't',
      name: 't',
      arguments: args,
      argumentsText: args === null ? '{' : JSON.stringify(args),
    };
    const tools = [{ toolId: 's:t', server: 's', name: 't', description: '', inputSchema: schema }];
    const parameters = { day: 'x', n: 1 };
    const expectedCalls = [{ server: 's', tool: 't', parameters }];
    return scoreRun(
      {
        expectation: { expectedCalls, orderDependent: false, allowedCalls: [] },
        query: 'q',
        calls: [call],
        tools,
        confidence: null,
        highConfidence: 0.7,
        modelReasoning: null,
      } as never,
      judge,
    ).passed;
  };

  it('never leaves a right call without a score while a wrong one counts', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(passed(schema, { day: 'x', n: 1 })).toBe(true);
        const wrongOnes: (JsonObject | null)[] = [
          { day: 'x', n: 2 },
          { day: 5, n: 1 },
          { day: 'x' },
          null,
        ];
        for (const wrong of wrongOnes) expect(passed(schema, wrong)).toBe(false);
      }),
      { ...draws(2_000), seed: 36 },
    );
  });
});
