import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { AjvJudge } from '../ajvJudge.ts';
import { schemaProperties } from '../schemaProperties.ts';
import { readDialect } from './schemaDialect.ts';
import { readSchema } from './readSchema.ts';

const judge = new AjvJudge();
const numbers = (both: JsonObject = { type: 'number' }) => ({
  type: 'object',
  properties: { a: both, b: both },
  required: ['a', 'b'],
  additionalProperties: false,
});

describe('dialects', () => {
  /** Of two numbers: eight answers fit, two don't. */
  const answers: JsonObject[] = [
    { a: 'one', b: 2 },
    { a: 1, b: null },
    { a: 1, b: 2 },
    { a: 0.5, b: 2 },
    { a: -1, b: 2 },
    { a: 1, b: 2e300 },
    { a: 1.0, b: 2 },
    { a: 100, b: 200 },
    { a: 1, b: 0 },
    { a: 7, b: 7 },
  ];
  it.each<[JsonValue | undefined]>([
    ...['http', 'https'].flatMap((scheme): [string][] => [
      [`${scheme}://json-schema.org/draft-04/schema#`],
      [`${scheme}://json-schema.org/draft-05/schema#`],
      [`${scheme}://json-schema.org/draft-06/schema#`],
      [`${scheme}://json-schema.org/draft-07/schema#`],
      [`${scheme}://json-schema.org/draft-07/schema`],
      [`${scheme}://JSON-Schema.org/Draft-07/Schema#`],
      [`${scheme}://json-schema.org/draft/2019-09/schema#`],
      [`${scheme}://json-schema.org/draft/2020-12/schema`],
      [`${scheme}://json-schema.org/draft/2020-12/schema/#`],
      [`${scheme}://json-schema.org/schema#`],
    ]),
    ['https://spec.openapis.org/oas/3.0/schema/2021-09-28'],
    ['https://spec.openapis.org/oas/3.1/dialect/base'],
    ['https://example.test/own-metaschema'],
    ['no address'],
    [''],
    [null],
    [7],
    [undefined],
  ])('the same ten answers get the same verdicts under $schema %s', (dialect) => {
    const schema = { ...numbers(), ...(dialect === undefined ? {} : { $schema: dialect }) };
    expect(answers.map((args) => judge.validate(schema, args).outcome)).toEqual([
      'violates',
      'violates',
      ...Array.from({ length: 8 }, () => 'conforms'),
    ]);
    expect(readSchema(schema).unreadable).toEqual([]);
  });

  const in07 = 'http://json-schema.org/draft-07/schema#';
  const in2020 = 'https://json-schema.org/draft/2020-12/schema';
  const in2019 = 'https://json-schema.org/draft/2019-09/schema';
  const in04 = 'http://json-schema.org/draft-04/schema#';
  const in06 = 'http://json-schema.org/draft-06/schema#';
  const in03 = 'http://json-schema.org/draft-03/schema#';
  /** One constraint on `a` as each dialect writes it, and values that fit and don't. */
  it.each<[string, JsonValue[], JsonValue[], JsonObject[]]>([
    [
      'above 1',
      [2, 1.5],
      [1, 0],
      [
        { $schema: in03, minimum: 1, exclusiveMinimum: true },
        { $schema: in04, minimum: 1, exclusiveMinimum: true },
        { minimum: 1, exclusiveMinimum: true },
        { $schema: in06, exclusiveMinimum: 1 },
        { $schema: in07, exclusiveMinimum: 1 },
        { $schema: in2019, exclusiveMinimum: 1 },
        { $schema: in2020, exclusiveMinimum: 1, minimum: 1 },
      ],
    ],
    [
      'at most 5',
      [5, 1],
      [6],
      [{ $schema: in04, maximum: 5, exclusiveMaximum: false }, { maximum: 5 }],
    ],
    [
      'a multiple of 3',
      [3, 9],
      [4],
      [{ $schema: in03, divisibleBy: 3 }, { $schema: in04, multipleOf: 3 }, { multipleOf: 3 }],
    ],
    [
      'a text and a number, and no more',
      [['x', 1], ['x']],
      [
        [1, 'x'],
        ['x', 1, 2],
      ],
      [
        { $schema: in04, items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        { $schema: in07, items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        {
          $schema: in2019,
          items: [{ type: 'string' }, { type: 'number' }],
          additionalItems: false,
        },
        { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        { $schema: in2020, prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      ],
    ],
    [
      'c where there is b',
      [{ b: 1, c: 1 }, {}],
      [{ b: 1 }],
      [
        { $schema: in03, dependencies: { b: 'c' } },
        { $schema: in04, dependencies: { b: ['c'] } },
        { $schema: in07, dependencies: { b: { required: ['c'] } } },
        { dependencies: { b: ['c'] } },
        { $schema: in2019, dependentRequired: { b: ['c'] } },
        { $schema: in2020, dependentSchemas: { b: { required: ['c'] } } },
      ],
    ],
    [
      'a text or null',
      ['x', null],
      [1],
      [
        { type: 'string', nullable: true },
        {
          $schema: 'https://spec.openapis.org/oas/3.0/schema/2021-09-28',
          type: 'string',
          nullable: true,
        },
        { $schema: in07, type: ['string', 'null'] },
        { type: 'STRING', nullable: true },
        { anyOf: [{ type: 'string' }, { type: 'null' }] },
      ],
    ],
    [
      'b is required',
      [{ b: 1 }],
      [{}],
      [
        { $schema: in03, properties: { b: { required: true } } },
        { properties: { b: { required: true } } },
        { $schema: in04, required: ['b', 'b'] },
        { required: ['b'] },
      ],
    ],
    [
      'one exact text',
      ['x'],
      ['y', 1],
      [{ $schema: in04, enum: ['x'] }, { $schema: in06, const: 'x' }, { const: 'x' }],
    ],
    [
      'no text',
      [1],
      ['x'],
      [
        { $schema: in03, disallow: 'string' },
        { $schema: in04, not: { type: 'string' } },
        { not: { type: 'string' } },
      ],
    ],
    [
      'a text by a definition',
      ['x'],
      [1],
      [
        { $schema: in04, $ref: '#/definitions/text' },
        { $schema: in04, $ref: '#named' },
        { $schema: in07, $ref: '#named' },
        { $schema: in2020, $ref: '#/$defs/text' },
        { $schema: in2020, $ref: '#anchor' },
        { $schema: in2020, $dynamicRef: '#dynamic' },
        { $ref: '#/components/schemas/text' },
        { $ref: '#/$defs/text', description: null },
        { $schema: in07, extends: 5, $ref: '#/definitions/text', type: 'number' },
      ],
    ],
    [
      'anything',
      [1, 'x', null],
      [],
      [{ type: 'any' }, { $schema: in03, type: ['string', 'any'] }, {}],
    ],
  ])('reads "%s" as every dialect writes it', (_title, fits, fails, schemas) => {
    const text = { type: 'string' };
    for (const { $schema, ...a } of schemas) {
      const schema: JsonObject = {
        ...($schema === undefined ? {} : { $schema }),
        properties: { a },
        definitions: { text, named: { id: '#named', $id: '#named', ...text } },
        $defs: {
          text,
          n: { $anchor: 'anchor', ...text },
          d: { $dynamicAnchor: 'dynamic', ...text },
        },
        components: { schemas: { text } },
      };
      const verdicts = [...fits, ...fails].map(
        (value) => judge.validate(schema, { a: value }).outcome,
      );
      expect(verdicts, JSON.stringify({ $schema, ...a })).toEqual([
        ...fits.map(() => 'conforms'),
        ...fails.map(() => 'violates'),
      ]);
    }
  });

  it('leaves keywords out that a dialect does not have', () => {
    const without: [string, JsonObject][] = [
      [in04, { const: 1 }],
      [in06, { if: true, then: false }],
      [in07, { prefixItems: [false], dependentRequired: { x: ['y'] }, unevaluatedItems: false }],
      [in2020, { $recursiveRef: '#', divisibleBy: 7, extends: false }],
    ];
    for (const [dialect, a] of without)
      expect(judge.validate({ $schema: dialect, properties: { a } }, { a: [5] }).outcome).toBe(
        'conforms',
      );
  });

  it('follows $recursiveRef of 2019-09 and $dynamicRef of 2020-12 to the root', () => {
    const of = (words: JsonObject, reference: JsonObject): JsonObject => ({
      ...words,
      properties: { v: { type: 'number' }, next: reference },
    });
    for (const schema of [
      of({ $schema: in2019, $recursiveAnchor: true }, { $recursiveRef: '#' }),
      of({ $schema: in2020, $dynamicAnchor: 'n' }, { $dynamicRef: '#n' }),
      of({ $schema: in07 }, { $ref: '#' }),
    ]) {
      expect(judge.validate(schema, { next: { next: { v: 1 } } }).outcome).toBe('conforms');
      expect(judge.validate(schema, { next: { next: { v: 'x' } } }).outcome).toBe('violates');
    }
  });

  it('names the required parameters that a dialect marks in its own way', () => {
    const required = (schema: JsonObject) => [...schemaProperties(schema).required];
    expect(required({ properties: { a: { required: true }, b: { required: false } } })).toEqual([
      'a',
    ]);
    const referring = {
      $ref: '#/definitions/d',
      required: ['b'],
      definitions: { d: { required: ['a'] } },
    };
    expect(required({ $schema: in07, ...referring })).toEqual(['a']);
    expect(required(referring)).toEqual(['b', 'a']);
  });

  it('accuses no name where a schema that leads elsewhere may declare it', () => {
    for (const schema of [
      { $ref: 'https://example.test/args.json' },
      { properties: 'x' },
      { additionalProperties: 'true' },
      { allOf: [5] },
    ] as JsonObject[])
      expect(schemaProperties(schema).open).toBe(true);
    expect(schemaProperties({ additionalProperties: null, properties: null }).open).toBe(false);
  });

  it('recognizes the drafts, and reads what it does not know as 2020-12', () => {
    const in2020Or = (...names: JsonValue[]) => names.map(readDialect);
    expect(in2020Or(in03, in04, in06, in07, in2019, in2020)).toEqual([3, 4, 6, 7, 2019, 2020]);
    expect(in2020Or(undefined as never, '', null, {}, 'urn:x')).toEqual([
      2020, 2020, 2020, 2020, 2020,
    ]);
  });
});
