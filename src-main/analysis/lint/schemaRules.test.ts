import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { lintTools } from './lintTools.ts';
import { found, published, readPublished } from './published.fixture.ts';
import { schemaRefusals } from './schemaRefusals.ts';

const placesOf = (tool: JsonObject) => found(tool).map(({ rule, place }) => `${rule} ${place}`);
const inputOf = (schema: JsonObject) => placesOf(published({ inputSchema: schema }));
/** A schema of one parameter. */
const of = (schema: JsonValue, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { q: schema },
  ...more,
});
const at = '/inputSchema/properties/q';

describe('schemas that clients and providers refuse', () => {
  it.each<[string, JsonObject, string[]]>([
    ['no type', { properties: {} }, ['schema-root /inputSchema']],
    ['nothing at all', {}, ['schema-root /inputSchema']],
    ['a root of another type', { type: 'string' }, ['schema-root /inputSchema/type']],
    [
      'a root of two types',
      { type: ['object', 'null'], properties: {} },
      ['schema-root /inputSchema/type'],
    ],
    [
      'a root that is a reference',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: {} } } },
      ['schema-root /inputSchema'],
    ],
    [
      'a choice at the top',
      of({ type: 'string' }, { oneOf: [{ required: ['q'] }] }),
      ['schema-root /inputSchema/oneOf'],
    ],
    ['a type in capitals', of({ type: 'STRING' }), [`schema-keyword ${at}/type`]],
    ['a misspelled type', of({ type: 'strng' }), [`schema-keyword ${at}/type`]],
    ['any type', of({ type: 'any' }), [`schema-keyword ${at}/type`]],
    ['a type listed twice', of({ type: ['string', 'string'] }), [`schema-duplicate ${at}/type`]],
    ['an object without properties', { type: 'object' }, ['schema-no-properties /inputSchema']],
    ['an array without items', of({ type: 'array' }), [`schema-array-items ${at}`]],
    [
      'an array or null without items',
      of({ type: ['array', 'null'] }),
      [`schema-array-items ${at}`],
    ],
    [
      'an array without items in a definition',
      of({ $ref: '#/$defs/a~1b' }, { $defs: { 'a/b': { type: 'array' } } }),
      ['schema-array-items /inputSchema/$defs/a~1b'],
    ],
    [
      'a tuple of the older drafts',
      of({ type: 'array', items: [{ type: 'string' }] }),
      [`schema-array-items ${at}/items`],
    ],
    [
      'no properties but null',
      { type: 'object', properties: null },
      ['schema-null /inputSchema/properties'],
    ],
    [
      'properties as a list',
      { type: 'object', properties: [] },
      ['schema-keyword /inputSchema/properties'],
    ],
    [
      'required as null',
      of({ type: 'string' }, { required: null }),
      ['schema-null /inputSchema/required'],
    ],
    [
      'required as a name',
      of({ type: 'string' }, { required: 'q' }),
      ['schema-keyword /inputSchema/required'],
    ],
    [
      'required of a parameter',
      of({ type: 'string', required: true }),
      [`schema-keyword ${at}/required`],
    ],
    [
      'required twice',
      of({ type: 'string' }, { required: ['q', 'q'] }),
      ['schema-duplicate /inputSchema/required'],
    ],
    [
      'a description that is null',
      of({ type: 'string', description: null }),
      [`schema-null ${at}/description`],
    ],
    [
      'a description that is a number',
      of({ type: 'string', description: 3 }),
      [`schema-keyword ${at}/description`],
    ],
    ['an enum that is null', of({ type: 'string', enum: null }), [`schema-null ${at}/enum`]],
    ['an enum that is a text', of({ type: 'string', enum: 'a|b' }), [`schema-keyword ${at}/enum`]],
    ['an empty enum', of({ type: 'string', enum: [] }), [`schema-keyword ${at}/enum`]],
    [
      'an enum with a value twice',
      of({ type: 'string', enum: ['a', 'a'] }),
      [`schema-duplicate ${at}/enum`],
    ],
    ['a limit as a text', of({ type: 'number', minimum: '3' }), [`schema-keyword ${at}/minimum`]],
    [
      'a limit of draft-04',
      of({ type: 'number', minimum: 3, exclusiveMinimum: true }),
      [`schema-keyword ${at}/exclusiveMinimum`],
    ],
    ['a limit that is null', of({ type: 'number', minimum: null }), [`schema-null ${at}/minimum`]],
    ['a parameter that is null', of(null), [`schema-null ${at}`]],
    ['a parameter that is a text', of('string'), [`schema-keyword ${at}`]],
    ['a parameter that is true', of(true), [`schema-boolean ${at}`]],
    [
      'one that is true further down',
      of({ type: 'object', properties: { r: true } }),
      [`schema-boolean ${at}/properties/r`],
    ],
    ['a choice that is no list', of({ anyOf: { type: 'string' } }), [`schema-keyword ${at}/anyOf`]],
    ['an empty choice', of({ anyOf: [] }), [`schema-keyword ${at}/anyOf`]],
    ['items that are null', of({ type: 'array', items: null }), [`schema-null ${at}/items`]],
    ['a reference to nothing', of({ $ref: '#/$defs/Gone' }), [`schema-reference ${at}/$ref`]],
    [
      'a reference to another document',
      of({ $ref: 'https://example.com/a.json' }),
      [`schema-reference ${at}/$ref`],
    ],
    ['a reference that is a number', of({ $ref: 3 }), [`schema-keyword ${at}/$ref`]],
    [
      'a tree',
      of(
        { $ref: '#/$defs/T' },
        {
          $defs: {
            T: {
              type: 'object',
              properties: { t: { type: 'array', items: { $ref: '#/$defs/T' } } },
            },
          },
        },
      ),
      ['schema-recursion /inputSchema/$defs/T/properties/t/items/$ref'],
    ],
    ['a reference to the root', of({ $ref: '#' }), [`schema-recursion ${at}/$ref`]],
    [
      'two schemas in a circle',
      of(
        { $ref: '#/$defs/A' },
        {
          $defs: {
            A: { properties: { b: { $ref: '#/$defs/B' } } },
            B: { properties: { a: { $ref: '#/$defs/A' } } },
          },
        },
      ),
      ['schema-recursion /inputSchema/$defs/B/properties/a/$ref'],
    ],
    ['a lookahead', of({ type: 'string', pattern: '^(?!a)b$' }), [`schema-pattern ${at}/pattern`]],
    ['a lookbehind', of({ type: 'string', pattern: '(?<=a)b' }), [`schema-pattern ${at}/pattern`]],
    [
      'a named group',
      of({ type: 'string', pattern: '^(?<year>[0-9]+)$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'a named group of Python',
      of({ type: 'string', pattern: '^(?P<year>[0-9]+)$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'a Unicode property',
      of({ type: 'string', pattern: '^[\\p{L}]+$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'a possessive quantifier',
      of({ type: 'string', pattern: '^a++$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'an atomic group',
      of({ type: 'string', pattern: '^(?>a+)b' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'flags at the start',
      of({ type: 'string', pattern: '(?i)^a$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'anchors of other languages',
      of({ type: 'string', pattern: '\\Aa\\z' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'a bracket in a class',
      of({ type: 'string', pattern: '^[a-z[\\]{}]*$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'a backreference',
      of({ type: 'string', pattern: '^(a)\\1$' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'an escape without meaning',
      of({ type: 'string', pattern: '^https\\:' }),
      [`schema-pattern ${at}/pattern`],
    ],
    [
      'a pattern of names',
      { type: 'object', properties: {}, patternProperties: { '^(?=x)': {} } },
      ['schema-pattern /inputSchema/patternProperties/^(?=x)#name'],
    ],
    [
      'an unknown draft',
      of({ type: 'string' }, { $schema: 'https://example.com/schema' }),
      ['schema-dialect /inputSchema/$schema'],
    ],
    [
      'draft 2019-09',
      of({ type: 'string' }, { $schema: 'https://json-schema.org/draft/2019-09/schema#' }),
      ['schema-dialect /inputSchema/$schema'],
    ],
    [
      'a draft that is a number',
      of({ type: 'string' }, { $schema: 7 }),
      ['schema-keyword /inputSchema/$schema'],
    ],
    [
      'a name with a space',
      { type: 'object', properties: { 'a b': { type: 'string' } } },
      ['schema-property-name /inputSchema/properties/a b#name'],
    ],
    [
      'an empty name',
      { type: 'object', properties: { '': { type: 'string' } } },
      ['schema-property-name /inputSchema/properties/#name'],
    ],
    [
      'an empty name further down',
      of({ type: 'object', properties: { '': {} } }),
      [`schema-property-name ${at}/properties/#name`],
    ],
    [
      'a name of 65 characters',
      { type: 'object', properties: { ['a'.repeat(65)]: {} } },
      [`schema-property-name /inputSchema/properties/${'a'.repeat(65)}#name`],
    ],
  ])('finds %s', (_what, schema, expected) => {
    expect(inputOf(schema)).toEqual(expected);
  });

  it.each<[string, JsonObject, string[]]>([
    ['a name with a dot', { name: 'mail.send' }, ['schema-tool-name /name']],
    ['a name in another script', { name: 'пошта' }, ['schema-tool-name /name']],
    ['a name of 59 characters', { name: 'a'.repeat(59) }, ['schema-tool-name /name']],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, ['schema-tool-name /name']],
    ['a description that is null', { description: null }, ['schema-null /description']],
    ['annotations that are a text', { annotations: 'read-only' }, ['schema-keyword /annotations']],
    ['a title that is a number', { title: 3 }, ['schema-keyword /title']],
    ['an output schema that is null', { outputSchema: null }, ['schema-null /outputSchema']],
    ['an output schema that is a list', { outputSchema: [] }, ['schema-output /outputSchema']],
    [
      'an output of a list',
      { outputSchema: { type: 'array', items: {} } },
      ['schema-output /outputSchema/type'],
    ],
    [
      'an output without type',
      { outputSchema: { anyOf: [{ type: 'object' }] } },
      ['schema-output /outputSchema'],
    ],
    [
      'an output that is true inside',
      { outputSchema: { type: 'object', properties: { r: true } } },
      ['schema-boolean /outputSchema/properties/r'],
    ],
    [
      'an output of draft-07',
      { outputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' } },
      ['schema-dialect /outputSchema/$schema'],
    ],
  ])('finds %s', (_what, more, expected) => {
    expect(placesOf(published(more))).toEqual(expected);
  });

  it.each<[string, JsonObject]>([
    ['draft-07', of({ type: 'string' }, { $schema: 'http://json-schema.org/draft-07/schema#' })],
    [
      'defaults, constants and examples that are null',
      of({ default: null, const: null, examples: [null] }),
    ],
    ['annotations of its own', of({ type: 'string', 'x-note': null, deprecated: true })],
    [
      'a reference that two parameters share',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/A' } },
        $defs: { A: { type: 'string' } },
      },
    ],
    ['a choice inside a parameter', of({ anyOf: [{ type: 'string' }, { type: 'null' }] })],
    [
      'parameters that are called like keywords',
      {
        type: 'object',
        properties: {
          type: { type: 'string' },
          required: { type: 'boolean' },
          items: { type: 'string' },
          pattern: { type: 'string' },
        },
      },
    ],
    ['a closed object', of({ type: 'object', properties: {}, additionalProperties: false })],
    [
      'ordinary patterns',
      of({ type: 'string', pattern: '^[\\w.+-]+@[a-z0-9-]+\\.(?:com|org){1}$' }),
    ],
    ['a bracket with a backslash', of({ type: 'string', pattern: '^[\\[\\]]$' })],
  ])('finds nothing in %s', (_what, schema) => {
    expect(inputOf(schema)).toEqual([]);
  });

  it('says who refuses it and how that is known, and asks no provider about an output schema', () => {
    const [input] = found(published({ inputSchema: of({ type: 'array' }) }));
    expect(input?.message).toBe(`${at}: an array without "items". OpenAI and VS Code refuse it.`);
    expect(input?.refusedBy).toEqual([
      {
        client: 'OpenAI',
        source: 'https://github.com/digitalocean-labs/mcp-digitalocean/issues/265',
      },
      { client: 'VS Code', source: 'https://github.com/microsoft/vscode/issues/284536' },
    ]);
    const outputSchema = { type: 'object', properties: { r: true } };
    const clients = found(published({ outputSchema })).flatMap(({ refusedBy = [] }) =>
      refusedBy.map(({ client }) => client),
    );
    expect(clients).toContain('Claude Code');
    expect(clients).not.toContain('Gemini');
  });

  it('counts what it does not list, and scores each rule once', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => [
        `list${index}`,
        { type: 'array', description: 'A list of bills' },
      ]),
    );
    const { findings, tools } = lintTools([
      readPublished(published({ inputSchema: { type: 'object', properties } })),
    ]);
    expect(findings).toHaveLength(11);
    expect(findings.at(-1)?.message).toBe('4 more places of this kind.');
    expect(tools[0]?.score).toBe(6);
  });

  it('finds tools that can’t be offered, and a name that a server lists twice', () => {
    const report = lintTools([readPublished(published({}))], {
      rejected: [
        { server: 'ledger', name: 'broken', reason: 'Its inputSchema is null, not an object.' },
        { server: 'ledger', name: '(tool 3)', reason: 'It has no name.' },
        { server: 'ledger', name: 'archive_invoice', reason: 'The server lists another tool.' },
      ],
    });
    expect(report.findings.map(({ toolId, rule }) => `${toolId} ${rule}`)).toEqual([
      'ledger:archive_invoice schema-duplicate',
      'ledger:broken schema-root',
      'ledger:(tool 3) schema-tool-name',
    ]);
    expect(report.tools.map(({ score }) => score)).toEqual([6, 8, 8]);
    expect(report.servers).toEqual([{ server: 'ledger', score: 22 / 3, tools: 3 }]);
  });

  it('says nothing about the schemas of a corpus that has none', () => {
    const tool = { ...readPublished(published({ inputSchema: {} })), schemaless: true as const };
    expect(lintTools([tool]).findings).toEqual([]);
  });

  it('names the source of every refusal', () => {
    for (const { client, source } of Object.values(schemaRefusals).flat()) {
      expect(client).not.toBe('');
      expect(source).toMatch(
        /^(?:https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+|measured with .+ [\d.]+)$/u,
      );
    }
  });
});
