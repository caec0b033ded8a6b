import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { ProbeTool } from './probeTools.ts';

/**
 * A second probe, none of whose tools are in the first. The presentation was written by the first
 * alone, so that this one says how well it foretells what a client does with tools of others.
 */
const tool = (name: string, more: JsonObject = {}): ProbeTool => ({
  name,
  description: `Second probe: ${name.slice(0, 12)}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  ...more,
});
/** A tool with a parameter `v` of this schema, which is required. */
const taking = (name: string, schema: JsonValue, root: JsonObject = {}): ProbeTool =>
  tool(name, {
    inputSchema: { type: 'object', properties: { v: schema }, required: ['v'], ...root },
  });
const text: JsonObject = { type: 'string' };
const pair: JsonValue = [{ type: 'string' }, { type: 'number' }];

/** Names of any form, also two that become one. */
const names: ProbeTool[] = [
  ...['createIssue', 'Create_Issue', 'create-issue-2', 'repo.issues.create', 'repo/issues/list'],
  ...['search web', 'größe_ändern', '検索', 'поиск', 'a', '0', '__', 'x--y', 'end-', 'v1.2.3'],
  ...['@scope/tool', 'tool#1', 'tool(1)', 'tool,comma', 'tool=eq', 'tool~tilde', 'tool|pipe'],
  ...['ns::fn', '🚀launch', 'NUL', 'e-mail.send', 'e_mail.send'],
  ...[44, 56, 62, 70, 90, 127, 140].map((length) => `q${length}`.padEnd(length, 'w')),
].map((name) => tool(name));

const descriptions: ProbeTool[] = [
  ...[1, 1500, 2046, 2050, 3000, 12_000].map((length) =>
    tool(`text_${length}`, { description: 'Words and more words. '.repeat(600).slice(0, length) }),
  ),
  tool('text_lines', { description: '\n# Title\r\n\r\n- one\n- two\t\n\n' }),
  tool('text_marks', { description: '</tool> {{x}} ${y} %s \\n "quoted" ﬁ Ⅳ ½' }),
  tool('says_all', {
    title: 'A title',
    annotations: { title: 'Other', destructiveHint: true, idempotentHint: false },
    _meta: { 'example.com/x': 1 },
    outputSchema: { type: 'object', properties: { r: text } },
  }),
];

/** Keywords of schemas, in forms that the first probe doesn't have. */
const schemas: ProbeTool[] = [
  taking('k_range', { type: 'number', minimum: -1.5, exclusiveMaximum: 10, multipleOf: 0.5 }),
  taking('k_text', { ...text, minLength: 2, maxLength: 9, pattern: '^[a-z]+$' }),
  taking('k_format', { ...text, format: 'date-time' }),
  taking('k_default', { type: 'boolean', default: false, description: 'Whether.' }),
  taking('k_examples', { ...text, examples: ['a', 'b'], title: 'T' }),
  taking('k_const', { const: 7 }),
  taking('k_enum_mixed', { enum: ['a', 1, null, true] }),
  taking('k_nullable', { type: ['string', 'null'], default: null }),
  taking('k_types', { type: ['string', 'integer', 'boolean'] }),
  taking('k_any', { anyOf: [text, { type: 'null' }], description: 'Maybe.' }),
  taking('k_one', { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }),
  taking('k_all', { allOf: [{ type: 'object', properties: { a: text } }, { required: ['a'] }] }),
  taking('k_not', { ...text, not: { enum: ['x'] } }),
  taking('k_if', { type: 'object', properties: { a: text }, if: { required: ['a'] }, then: {} }),
  taking('k_list', { type: 'array', items: text, minItems: 1, maxItems: 3, uniqueItems: true }),
  taking('k_list_open', { type: 'array' }),
  taking('k_tuple', { type: 'array', prefixItems: pair, items: false }),
  taking('k_contains', { type: 'array', items: text, contains: { const: 'x' }, minContains: 1 }),
  taking('k_map', { type: 'object', additionalProperties: { type: 'integer' } }),
  taking('k_closed', { type: 'object', properties: { a: text }, additionalProperties: false }),
  taking('k_patterns', { type: 'object', patternProperties: { '^x': text } }),
  taking('k_names', { type: 'object', propertyNames: { maxLength: 3 }, minProperties: 1 }),
  taking('k_needs', { type: 'object', properties: { a: text }, dependentRequired: { a: ['b'] } }),
  taking('k_untyped', { description: 'Of any type.' }),
  taking('k_empty', {}),
  taking(
    'k_deep',
    { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/$defs/d' } } } },
    { $defs: { d: { ...text, minLength: 1 } } },
  ),
  taking(
    'k_self',
    { $ref: '#/$defs/node' },
    {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
  ),
  taking('k_definitions', { $ref: '#/definitions/d' }, { definitions: { d: text, unused: text } }),
  taking('k_root_closed', text, { additionalProperties: false }),
  taking('k_root_open', text, { additionalProperties: true }),
  taking('k_root_words', text, { title: 'Root', description: 'The root.', $comment: 'c' }),
  taking('k_root_uri', text, { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x' }),
  taking('k_encoded', { ...text, contentEncoding: 'base64', contentMediaType: 'image/png' }),
  taking('k_access', { ...text, readOnly: true, deprecated: true, 'x-own': { a: 1 } }),
  tool('k_none', { inputSchema: { type: 'object' } }),
  tool('k_odd_names', {
    inputSchema: { type: 'object', properties: { 'a.b': text, 'c d': text, ä: text, $x: text } },
  }),
];

const beside = (bad: ProbeTool): ProbeTool[] => [tool('sound'), bad];
const flaws: Readonly<Record<string, ProbeTool[]>> = {
  type_list: beside(tool('bad', { inputSchema: { type: ['object'], properties: {} } })),
  root_true: beside(tool('bad', { inputSchema: true })),
  root_one: beside(tool('bad', { inputSchema: { type: 'object', oneOf: [{ required: ['a'] }] } })),
  number_text: beside(tool('bad', { description: 7 })),
  list_items: beside(taking('bad', { type: 'array', items: pair })),
  false_below: beside(taking('bad', { type: 'object', properties: { x: false }, required: ['x'] })),
  title_number: beside(tool('bad', { title: 7 })),
  hint_text: beside(tool('bad', { annotations: { readOnlyHint: 'yes' } })),
};
const flawServers = Object.entries(flaws);

/** The servers of each run, with their tools. */
export const secondRuns: Readonly<Record<string, Readonly<Record<string, readonly ProbeTool[]>>>> =
  {
    second: { 'odd-ones.v2': [...names, ...descriptions, ...schemas] },
    second_flaws_1: Object.fromEntries(flawServers.slice(0, 4)),
    second_flaws_2: Object.fromEntries(flawServers.slice(4)),
  };
