import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { remoteProviders } from '../../../../src-shared/domain/provider.ts';
import { ask, openTestModel, tool } from '../../../testing/fakeModelServer/openTestModel.ts';
import { adaptSchema } from './adaptSchema.ts';

const nested = (depth: number): JsonObject =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };
const own = (json: string) => JSON.parse(json) as JsonObject;
const text = { type: 'string' };
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...rest,
});

/** Null = every provider is offered it; else the providers that it is kept from. */
const nasty: [string, JsonObject, ('openai' | 'anthropic')[]][] = [
  ['empty', {}, []],
  ['no type', { properties: { a: text } }, []],
  ['type null or object', { type: ['null', 'object'], properties: { a: text } }, []],
  ['type string', { type: 'string' }, ['openai', 'anthropic']],
  ['type array or string', { type: ['array', 'string'] }, ['openai', 'anthropic']],
  ['unknown type', { type: 'dict', properties: { a: text } }, []],
  [
    'root oneOf',
    {
      type: 'object',
      oneOf: [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })],
    },
    [],
  ],
  [
    'root anyOf of required',
    object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    [],
  ],
  [
    'root allOf',
    { allOf: [object({ a: text }, { required: ['a'] }), object({ b: { type: 'integer' } })] },
    [],
  ],
  [
    'root allOf in anyOf',
    { anyOf: [{ allOf: [object({ a: text })] }, object({ a: { type: 'integer' } })] },
    [],
  ],
  ['root enum and not', object({ a: text }, { enum: [{ a: 'x' }], not: { required: ['b'] } }), []],
  [
    'root if then else',
    object(
      { a: text },
      { if: { required: ['a'] }, then: object({ b: text }), else: object({ c: text }) },
    ),
    [],
  ],
  ['array without items', object({ a: { type: 'array' } }), []],
  ['nullable array without items', object({ a: { type: ['array', 'null'] } }), []],
  [
    'tuple of the older form',
    object({ a: { type: 'array', items: [text, { type: 'integer' }] } }),
    [],
  ],
  ['tuple of the newer form', object({ a: { type: 'array', prefixItems: [text] } }), []],
  ['items true', object({ a: { type: 'array', items: true } }), []],
  [
    'property values that are no schemas',
    object({ a: null, b: 'string', c: 3, d: [], e: true, f: false }),
    [],
  ],
  ['properties that are a list', { type: 'object', properties: ['a'] }, []],
  ['required that is true', object({ a: { ...text, required: true } }, { required: true }), []],
  ['required twice', object({ a: text }, { required: ['a', 'a'] }), []],
  ['empty enum', object({ a: { enum: [] } }), []],
  [
    'numbers as text',
    object({ a: { type: 'number', minimum: '1', multipleOf: 0, maxLength: -1 } }),
    [],
  ],
  [
    'bounds of the older form',
    object({ a: { type: 'number', minimum: 1, exclusiveMinimum: true } }),
    [],
  ],
  ['pattern that can not be read', object({ a: { ...text, pattern: '([' } }), []],
  ['pattern of a name that can not be read', object({}, { patternProperties: { '([': text } }), []],
  ['slow pattern', object({ a: { ...text, pattern: '^(a+)+$' } }), []],
  ['description that is no text', object({ a: { ...text, description: { en: 'x' } } }), []],
  [
    'older $schema and ids',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'x',
      $id: 'http://evil.test/x',
      ...object({ a: { $id: '#a', ...text } }),
    },
    [],
  ],
  ['local reference', object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: text } }), []],
  [
    'reference beside a description',
    object({ a: { $ref: '#/definitions/a', description: 'd' } }, { definitions: { a: text } }),
    [],
  ],
  [
    'reference by anchor',
    object({ a: { $ref: '#it' } }, { $defs: { a: { $anchor: 'it', ...text } } }),
    [],
  ],
  ['root reference', { $ref: '#/$defs/root', $defs: { root: object({ a: text }) } }, []],
  ['recursion', object({ a: { $ref: '#' } }), []],
  [
    'recursion of two',
    object(
      { a: { $ref: '#/$defs/a' } },
      {
        $defs: { a: object({ b: { $ref: '#/$defs/b' } }), b: object({ a: { $ref: '#/$defs/a' } }) },
      },
    ),
    [],
  ],
  [
    'reference to nowhere',
    object({ a: { $ref: '#/$defs/none' }, b: { $ref: '#/%zz' }, c: { $ref: 7 } }),
    [],
  ],
  ['remote reference', object({ a: { $ref: 'http://169.254.169.254/latest' } }), []],
  [
    'references that multiply',
    object(
      { a: { $ref: '#/$defs/a0' } },
      {
        $defs: Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => [
            `a${at}`,
            object({ x: { $ref: `#/$defs/a${at + 1}` }, y: { $ref: `#/$defs/a${at + 1}` } }),
          ]),
        ),
      },
    ),
    [],
  ],
  ['deep', nested(400), []],
  [
    'wide',
    object(Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`p${at}`, text]))),
    [],
  ],
  ['optional key that is not taken', object({ 'a b': text, c: text }), []],
  [
    'required key that is not taken',
    object({ straße: text }, { required: ['straße'] }),
    ['anthropic'],
  ],
  ['key that is too long', object({ ['k'.repeat(65)]: text }), []],
  [
    'prototype keys',
    own(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"hasOwnProperty":null}}',
    ),
    [],
  ],
  [
    'properties named like keywords',
    object({ $ref: text, type: text, properties: { type: 'array' }, items: text, $schema: text }),
    [],
  ],
  [
    'nested alternatives',
    object({ a: { anyOf: [text, { type: 'null' }] }, b: { oneOf: [] }, c: { not: {} } }),
    [],
  ],
  ['closed', object({ a: text }, { additionalProperties: false }), []],
  [
    'dependencies of both forms',
    object(
      { a: text },
      {
        dependencies: { a: ['b'] },
        dependentSchemas: { a: object({ b: text }) },
        dependentRequired: { a: ['c'] },
      },
    ),
    [],
  ],
];

describe('prepareWireTools', () => {
  let server: FakeModelServer;
  beforeAll(async () => void (server = await startFakeModelServer()));
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(remoteProviders)(
    'T40: sends %s every unusual schema, or leaves the tool out with a reason',
    async (provider) => {
      const dialect = provider === 'anthropic' ? 'anthropic' : 'openai';
      const model = await openTestModel(server, provider);
      for (const [title, schema, keptFrom] of nasty) {
        const tools = [tool('nasty', schema), tool('plain')];
        const { observation } = await model
          .choose(ask('use plain', tools), AbortSignal.timeout(10_000))
          .catch((error: unknown) => {
            throw new Error(`${title}: ${String(error)}`);
          });
        expect(observation.calls[0]?.tool, title).toBe('plain');
        const left = model.excludedTools?.(tools) ?? [];
        expect(
          left.map((each) => each.tool),
          title,
        ).toEqual(keptFrom.includes(dialect) ? ['todo:nasty'] : []);
        expect(server.requests.at(-1)?.toolNames, title).toHaveLength(2 - left.length);
        if (left.length > 0)
          expect(observation.details).toMatchObject({
            excluded: [{ tool: 'todo:nasty', reason: expect.stringMatching(/\w/) }],
          });
      }
    },
  );

  it.each(remoteProviders)(
    'T40: needs the adaptation, for the fake %s refuses the published schemas',
    async (provider) => {
      const bare = {
        openai: 'responses',
        anthropic: 'messages',
        'openai-compatible': 'chat/completions',
      }[provider];
      const refused = async (name: string, schema: JsonObject) => {
        const fn = { name, parameters: schema };
        const tools =
          provider === 'anthropic'
            ? [{ name, input_schema: schema }]
            : [
                provider === 'openai'
                  ? { type: 'function', ...fn }
                  : { type: 'function', function: fn },
              ];
        const response = await fetch(`${server.origin}/v1/${bare}`, {
          method: 'POST',
          headers: { 'anthropic-version': '2023-06-01' },
          body: JSON.stringify({ tools }),
        });
        return [response.status, await response.text()];
      };
      expect(await refused('a', { type: 'object', anyOf: [] })).toEqual([
        400,
        expect.stringContaining('anyOf'),
      ]);
      expect(await refused('a', {})).toEqual([400, expect.any(String)]);
      expect(await refused('a.b', { type: 'object' })).toEqual([
        400,
        expect.stringContaining('pattern'),
      ]);
      expect(await refused('a', object({ a: { type: 'number', minimum: '1' } }))).toEqual([
        400,
        expect.stringMatching(/valid|draft/),
      ]);
      if (provider === 'anthropic')
        expect(await refused('a', object({ 'a b': text }))).toEqual([
          400,
          expect.stringContaining('Property keys'),
        ]);
      else
        expect(await refused('a', object({ a: { type: 'array' } }))).toEqual([
          400,
          expect.stringContaining('missing items'),
        ]);
      expect((await refused('a', object({ a: text })))[0]).toBe(200);
    },
  );

  it('T40: lists what a schema loses by its place, and nothing else', () => {
    expect(
      adaptSchema(object({ a: text }, { required: ['a'], additionalProperties: false }), 'openai'),
    ).toEqual({
      schema: {
        type: 'object',
        properties: { a: text },
        required: ['a'],
        additionalProperties: false,
      },
      relaxations: [],
      rewrites: [],
    });
    const adapted = adaptSchema(
      {
        oneOf: [
          object({ a: text, c: { type: 'array' } }, { required: ['a'] }),
          object({ a: { type: 'integer' } }, { required: ['a'] }),
        ],
      },
      'anthropic',
    );
    expect(adapted).toEqual({
      schema: {
        type: 'object',
        properties: { a: { anyOf: [text, { type: 'integer' }] }, c: { type: 'array', items: {} } },
        required: ['a'],
      },
      relaxations: [
        '#/oneOf/0/properties/c: items: {} added',
        '#: type set to object',
        '#: oneOf folded at the top',
      ],
      rewrites: [],
    });
  });

  it('T39: maps calls back to tools with equal or invalid names', async () => {
    for (const provider of remoteProviders) {
      const model = await openTestModel(server, provider);
      const tools = [
        tool('list.all things', undefined, 'a'),
        tool('list.all things', undefined, 'b'),
        tool('n'.repeat(200), undefined, 'c'),
      ];
      await model.choose(ask('nothing fits', tools), AbortSignal.timeout(5_000));
      const names = server.requests.at(-1)?.toolNames ?? [];
      expect(new Set(names).size).toBe(3);
      for (const [index, name] of names.entries()) {
        const { observation } = await model.choose(
          ask(`use ${name}`, tools),
          AbortSignal.timeout(5_000),
        );
        expect(observation.calls[0]).toMatchObject({
          server: tools[index]?.server,
          tool: tools[index]?.name,
          name,
        });
      }
    }
  });

  it.each(remoteProviders)('T41: sends 128 tools to %s, and nothing for 129', async (provider) => {
    const model = await openTestModel(server, provider);
    const many = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${index}_`));
    for (const count of [127, 128]) {
      await model.choose(ask('hello', many(count)), AbortSignal.timeout(5_000));
      expect(server.requests.at(-1)?.toolNames).toHaveLength(count);
    }
    const before = server.requests.length;
    await expect(model.choose(ask('hello', many(129)), AbortSignal.timeout(5_000))).rejects.toThrow(
      /129 tools are offered.*128.*Nothing was sent/,
    );
    expect(server.requests).toHaveLength(before);
  });

  it.each(remoteProviders)(
    'rebuilds a request to %s from the stored tools byte for byte',
    async (provider) => {
      const model = await openTestModel(server, provider);
      const tools = [tool('add_task', object({ title: text })), tool('x', { type: 'string' })];
      const reply = await model.choose(
        ask('add_task', tools, {
          system: 'Be brief.',
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: 'Hello' },
          ],
        }),
        AbortSignal.timeout(5_000),
      );
      const { body } = server.requests.at(-1)!;
      expect(JSON.stringify({ ...reply.request, tools: model.describeTools(tools) })).toBe(
        JSON.stringify(body),
      );
      expect(body['temperature'] ?? null).toBe(model.sent['temperature']);
      const withoutTools = await model.choose(ask('hello', []), AbortSignal.timeout(5_000));
      expect(withoutTools.request).not.toHaveProperty('tools');
      expect(withoutTools.request).not.toHaveProperty('tool_choice');
    },
  );
});
