import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';

/**
 * The tools of the probe servers, one fact each. `probeServer` serves them as they stand here, and the
 * requests of real clients are compared with them.
 */
export type ProbeTool = JsonObject;

/** Text of a length, with a mark at each hundred characters that shows where it was cut. */
function markedText(length: number): string {
  const filler = 'abcdefghi '.repeat(12);
  let text = '';
  for (let at = 0; at < length; at += 100)
    text += `[${String(at).padStart(6, '0')}]${filler}`.slice(0, 100);
  return text.slice(0, length);
}

const object = (properties: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const a: JsonObject = { a: { type: 'string', description: 'A.' } };
const text: JsonObject = { type: 'string' };
const tool = (
  name: string,
  description: JsonValue = `Probe ${name.slice(0, 20)}.`,
  inputSchema: JsonValue = object(a),
  more: JsonObject = {},
): ProbeTool => ({ name, description, inputSchema, ...more });
/** A tool with one parameter of this schema. */
const parameter = (name: string, schema: JsonValue): ProbeTool =>
  tool(name, undefined, object({ k: schema }));
const padded = (length: number): string => `p${length}_`.padEnd(length, 'n');
const nested = (depth: number): JsonObject =>
  depth === 0
    ? { type: 'string', description: 'leaf' }
    : { ...object({ x: nested(depth - 1) }), description: `level ${depth}`, required: ['x'] };
const many = (count: number, schema: JsonValue, name = 'field_'): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, schema]));

const oddNames = [
  ...['p_plain', 'p.dot', 'p/slash', 'p space', 'p-dash', 'p:colon', 'p$dollar', 'p@at', 'P_UPPER'],
  ...['p_ünï_日本', '1p_digit', '_p_lead', 'p__dbl', 'p_end_', 'p.', 'case_x', 'CASE_X', 'bash'],
  ...[
    'A.B.C',
    'get-item',
    'get--item',
    'get__item',
    'über',
    'emoji😀x',
    '日本語',
    '-lead',
    '.lead',
  ],
  ...[':x', 'tail.', 'tab\tx', 'a\u200bb', 'q?x=1', '[x]', 'x+y', 'UPPER.case', 'é', 'e\u0301'],
  ...['١٢', '%41', 'a/b/c', 'a\\b', '"q"', "it's", 'null', 'true', 'default_api:x', 'functions.x'],
  ...['same.a', 'same/a', 'same_a', 'twin.one', 'twin one', 'twin:one'],
];
const lengths = [
  40, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 57, 58, 59, 60, 63, 64, 65, 100, 115, 116, 117,
  118, 128, 129, 200,
];
const names: ProbeTool[] = [
  ...oddNames.map((name, at) => tool(name, `Odd name ${at}.`)),
  ...lengths.map((length) => tool(padded(length), `Name of ${length}.`)),
  ...[56, 61, 62, 66, 80, 127].map((length) =>
    tool(`L${length}.`.padEnd(length, 'm'), `Cleaned name of ${length}.`),
  ),
  ...['_one', '_two', '.a', '.b'].map((end) =>
    tool(`twin_${'z'.repeat(90)}${end}`, `Twin ${end}.`),
  ),
];

const descriptions: ProbeTool[] = [
  ...[500, 1023, 1024, 1025, 2047, 2048, 2049, 5000].map((length) =>
    tool(`d_${length}`, markedText(length)),
  ),
  { name: 'd_none', inputSchema: object(a) },
  tool('d_empty', ''),
  tool(
    'd_white',
    '  \n\tLeading.\r\n\r\nTabs\there.  Two  spaces. <b>html</b> & "quotes" 😀 \u0001 \n\n',
  ),
  tool('d_emoji', '😀'.repeat(1050)),
  tool('d_half', `${'x'.repeat(2047)}😀${'y'.repeat(20)}`),
  tool(
    'd_unseen',
    'Zero\u200bwidth \u00ad \u202e \ufe0f \u{e0041} \ue000 \u2028 \u0085 \u00a0 \ufeff end.',
  ),
  tool(
    'd_unseen_below',
    'Below.',
    object({ 'a\u200b': { type: 'string', description: 'b\u200bc', enum: ['v\u200b'] } }),
  ),
  ...[500, 2049, 5000].map((length) =>
    tool(
      `d_parameter_${length}`,
      'A parameter.',
      object({ a: { type: 'string', description: markedText(length) } }),
    ),
  ),
  tool('d_root', 'The root.', object(a, { description: markedText(300) })),
  tool('m_title', 'A title.', object(), { title: 'TITLE' }),
  tool('m_annotations', 'Annotations.', object(), { annotations: { readOnlyHint: true } }),
  tool('m_output', 'An output schema.', object(), { outputSchema: object({ o: text }) }),
  tool('m_meta', 'Meta.', object(), { _meta: { 'x/y': 'META' } }),
];

const unions = ['anyOf', 'oneOf', 'allOf'].map((union) =>
  tool(`s_${union}_root`, 'A union.', {
    type: 'object',
    [union]: [
      object({ a: text }, { required: ['a'] }),
      object({ b: { type: 'integer' } }, { required: ['b'] }),
    ],
  }),
);
/** Schemas of one parameter, by the name of the tool. */
const parameters: Readonly<Record<string, JsonValue>> = {
  type_list: { type: ['integer', 'null'], minimum: 1 },
  type_null_first: { type: ['null', 'string'], description: 'Null first.' },
  type_list_three: { type: ['string', 'integer', 'array'], items: text },
  type_one: { type: ['string'] },
  type_four: { type: ['string', 'number', 'boolean', 'null'] },
  type_object_null: { type: ['object', 'null'], properties: { a: text } },
  type_array_null: { type: ['array', 'null'], items: { type: ['integer', 'null'] } },
  type_null: { type: 'null' },
  type_unknown: { type: 'any' },
  any_of: { anyOf: [text, { type: 'null' }], default: null },
  any_of_const: {
    anyOf: [{ const: 'a' }, { const: 'b', description: 'B.' }],
    description: 'A choice.',
  },
  any_of_objects: {
    anyOf: [
      object({ a: { type: 'string', minLength: 1 } }, { additionalProperties: false }),
      { type: 'null' },
    ],
  },
  one_of: { oneOf: [text, { type: 'integer' }], nullable: true },
  all_of: { allOf: [text, { minLength: 2 }] },
  all_of_reference: { allOf: [{ $ref: '#/properties/k2' }], description: 'Wrapped.' },
  array_untyped: { items: text },
  array_without_items: { type: 'array' },
  array_of_any: { type: 'array', items: {} },
  array_of_true: { type: 'array', items: true },
  array_of_arrays: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
  array_bounds: {
    type: 'array',
    description: 'A list.',
    items: { type: 'integer', minimum: 3, description: 'One.' },
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
  },
  array_contains: { type: 'array', items: {}, contains: { type: 'integer' }, minContains: 1 },
  tuple: { type: 'array', items: [text, { type: 'integer' }] },
  tuple_of_one: { type: 'array', items: [text], additionalItems: false },
  prefix_items: {
    type: 'array',
    prefixItems: [text, { type: 'string', format: 'uri' }],
    items: false,
  },
  const_text: { const: 'fixed' },
  const_number: { type: 'integer', const: 7 },
  const_null: { const: null },
  const_object: { const: { a: 1 } },
  enum_numbers: { type: 'integer', enum: [1, 2, 3] },
  enum_mixed: { enum: ['a', 1, null, true] },
  enum_null: { type: ['string', 'null'], enum: ['a', null] },
  enum_empty: { type: 'string', enum: [] },
  enum_untyped: { enum: [1, 2] },
  enum_default: { type: 'string', enum: ['x', 'y'], description: 'One of.', default: 'x' },
  enum_long: { type: 'string', enum: Array.from({ length: 300 }, (_, at) => `value_${at}`) },
  string_all: {
    type: 'string',
    description: 'A text.\nTwo lines.',
    minLength: 1,
    maxLength: 5,
    pattern: '^a',
    format: 'uuid',
  },
  string_format: { type: 'string', format: 'date-time' },
  string_encoding: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
  string_content: {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { type: 'object' },
  },
  number_bounds: { type: 'number', minimum: 1, maximum: 9, multipleOf: 0.5 },
  number_exclusive: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
  number_draft4: { type: 'number', minimum: 0, exclusiveMinimum: true },
  number_text: { type: 'number', minimum: '1' },
  object_plain: { type: 'object' },
  object_untyped: { properties: { x: text } },
  object_deep: {
    ...object({
      a: { type: 'integer', maximum: 5 },
      b: object(
        { c: { type: 'string', format: 'date' } },
        { required: ['c'], additionalProperties: false },
      ),
    }),
    description: 'Deep.',
    required: ['a'],
    additionalProperties: false,
    minProperties: 1,
  },
  object_map: { type: 'object', additionalProperties: text },
  object_map_deep: {
    type: 'object',
    additionalProperties: object(
      { x: { type: 'string', pattern: 'y' } },
      { additionalProperties: false },
    ),
  },
  object_open: { type: 'object', additionalProperties: true },
  object_open_empty: object({}, { additionalProperties: true }),
  object_map_empty: object({}, { additionalProperties: { type: 'object' } }),
  object_open_any: { type: 'object', additionalProperties: {} },
  object_closed: object({ x: text }, { additionalProperties: false }),
  object_names: { type: 'object', propertyNames: { pattern: '^a' } },
  object_patterns: {
    type: 'object',
    patternProperties: { '^x': { type: 'string', minLength: 1 } },
  },
  object_count: { type: 'object', minProperties: 1, maxProperties: 3 },
  object_dependent: { ...object({ a: {}, b: {} }), dependentRequired: { a: ['b'] } },
  object_unevaluated: { type: 'object', unevaluatedProperties: false },
  object_if: {
    type: 'object',
    if: object({ a: { const: 1 } }),
    then: { required: ['b'] },
    else: { required: ['c'] },
  },
  object_default: object({ a: { type: 'integer' } }, { default: { a: 1 } }),
  object_required: object({ a: { type: 'string', required: true } }),
  not: { not: { type: 'string', minLength: 1 } },
  annotated: {
    type: 'string',
    title: 'T.',
    examples: ['x'],
    example: 'y',
    deprecated: true,
    readOnly: true,
    $comment: 'c',
    'x-odd': 1,
    enumNames: ['A'],
  },
  nullable: { type: 'string', nullable: true },
  untyped: { description: 'No type.' },
  empty: {},
  empty_description: { type: 'string', description: '' },
  number_description: { type: 'string', description: 7 },
  nested_dialect: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' },
  nested_id: { $id: 'urn:n', type: 'string', $anchor: 'x' },
  dynamic: { $dynamicRef: '#x' },
};
const roots: Readonly<Record<string, JsonObject>> = {
  none: { type: 'object' },
  empty: object(),
  reference: object(
    { k: { $ref: '#/$defs/K' }, l: { $ref: '#/$defs/K', description: 'Beside.' } },
    { $defs: { K: { type: 'string', enum: ['a', 'b'], description: 'In.' } }, required: ['k'] },
  ),
  definitions: object(
    { k: { $ref: '#/definitions/B' }, a: { $ref: '#/$defs/A' } },
    {
      $defs: { A: { type: 'integer', minimum: 1 }, Unused: text },
      definitions: { B: object({ c: { $ref: '#/$defs/A' } }) },
    },
  ),
  dangling: object({ k: { $ref: '#/$defs/Missing' } }),
  recursive: object(
    { n: { $ref: '#/$defs/N' } },
    { $defs: { N: object({ v: text, kids: { type: 'array', items: { $ref: '#/$defs/N' } } }) } },
  ),
  is_reference: { type: 'object', $ref: '#/$defs/R', $defs: { R: object({ a: text }) } },
  open: object({ a: text }, { additionalProperties: true }),
  closed: object({ a: text }, { additionalProperties: false }),
  closed_required: {
    required: ['b', 'a'],
    additionalProperties: false,
    properties: { b: text, a: { minimum: 0, type: 'integer' } },
    type: 'object',
    title: 'Order',
  },
  map: object({ a: text }, { additionalProperties: text }),
  patterns: { type: 'object', patternProperties: { '^a': text } },
  unevaluated: object({ a: text }, { unevaluatedProperties: false }),
  constraints: object(
    { a: text },
    { minProperties: 1, description: 'Root words.', propertyNames: { pattern: '^a' } },
  ),
  condition: object(
    { a: text, b: text },
    { if: { properties: { a: { const: 'x' } } }, then: { required: ['b'] } },
  ),
  not: object({ a: text }, { not: { required: ['a'] } }),
  dependencies: object(
    { a: {}, b: {} },
    { dependencies: { a: ['b'] }, dependentSchemas: { b: { required: ['a'] } } },
  ),
  any_of_beside: object(
    { a: text, b: { type: 'integer' } },
    { required: [], anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  ),
  one_of_one: { type: 'object', oneOf: [object({ a: text }, { required: ['a'] })] },
  all_of_merged: {
    type: 'object',
    properties: { z: { type: 'boolean' } },
    required: ['z'],
    allOf: [
      object({ a: text }, { required: ['a'] }),
      {
        properties: { b: { type: 'integer', minimum: 2 } },
        required: ['b'],
        additionalProperties: false,
      },
    ],
  },
  draft_7: { $schema: 'http://json-schema.org/draft-07/schema#', ...object({ a: text }) },
  draft_2020: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:x',
    ...object({ a: text }),
  },
  required_ghost: object({ a: text }, { required: ['a', 'ghost'] }),
  required_empty: object({ a: text }, { required: [] }),
  titled: object({ a: text }, { title: 'T', description: 'D', examples: [{ a: 'E' }] }),
  property_names: object({
    'a.b': text,
    'a b': text,
    $filter: text,
    ünï: text,
    B: text,
    type: text,
    properties: text,
  }),
  nested: object({ x: nested(12) }),
};
const schemas: ProbeTool[] = [
  ...unions,
  ...Object.entries(parameters).map(([name, schema]) => parameter(`p_${name}`, schema)),
  ...Object.entries(roots).map(([name, schema]) => tool(`r_${name}`, undefined, schema)),
];

const sizes: ProbeTool[] = [
  ...[4800, 4900, 4950, 5000].map((length) =>
    tool(
      `z_text_${length}`,
      'Long.',
      object({ a: { type: 'string', description: markedText(length) } }),
    ),
  ),
  tool(
    'z_texts',
    'Long texts.',
    object(many(60, { type: 'string', description: markedText(150) })),
  ),
  ...[150, 600].map((count) => tool(`z_properties_${count}`, 'Many.', object(many(count, text)))),
  tool(
    'z_definitions',
    'Big.',
    object({ k: { $ref: '#/$defs/K' } }, { $defs: { K: object(many(200, text)) } }),
  ),
  tool(
    'z_values',
    'Long.',
    object({ k: { type: 'string', enum: Array.from({ length: 1000 }, (_, at) => `value_${at}`) } }),
  ),
  tool(
    'z_deep',
    'Deep.',
    object(many(20, object({ p: object({ q: object(many(10, text)) }) }), 'o')),
  ),
  tool(
    'z_unions',
    'Many.',
    object(many(60, { anyOf: [text, { type: 'integer' }, { type: 'array', items: text }] }, 'u')),
  ),
];

/** Tools with one flaw, each served beside a sound one. */
const flawed: Readonly<Record<string, ProbeTool[]>> = {
  no_type: [tool('bad', undefined, { properties: a })],
  empty_schema: [tool('bad', undefined, {})],
  no_schema: [{ name: 'bad', description: 'None.' }],
  type_string: [tool('bad', undefined, { type: 'string' })],
  twice: [tool('bad', 'First.'), tool('bad', 'Second.')],
  no_name: [tool('', 'Nameless.', object())],
  null_description: [tool('bad', null, object())],
  annotations: [tool('bad', undefined, object(), { annotations: 'x' })],
  output: [tool('bad', undefined, object(), { outputSchema: { type: 'array' } })],
  boolean_true: [tool('bad', undefined, object({ k: true }))],
  boolean_false: [tool('bad', undefined, object({ k: false }))],
  boolean_below: [tool('bad', undefined, object({ k: object({ x: true }) }))],
  null_property: [tool('bad', undefined, object({ k: null }))],
  required_text: [tool('bad', undefined, object({ a: {} }, { required: 'a' }))],
  constructor_property: [tool('bad', undefined, object({ constructor: text }))],
  to_string_property: [tool('bad', undefined, object({ toString: text }))],
};
const few = [tool('p_plain'), tool('only_here')];

/** A few servers a run, so that all are there when a client asks its model. */
const serversAtOnce = 5;
const flawServers = Object.entries(flawed).map(([name, tools], at): [string, ProbeTool[]] => [
  name,
  [tool('good', `Good ${at}.`), ...tools],
]);
const flawRuns = Object.fromEntries(
  Array.from({ length: Math.ceil(flawServers.length / serversAtOnce) }, (_, at) => [
    `flaws_${at + 1}`,
    Object.fromEntries(flawServers.slice(at * serversAtOnce, (at + 1) * serversAtOnce)),
  ]),
);

/** The servers of each run, with their tools. */
export const probeRuns: Readonly<Record<string, Readonly<Record<string, readonly ProbeTool[]>>>> = {
  names: { probe: names },
  descriptions: { probe: descriptions },
  schemas: { probe: schemas },
  sizes: { probe: sizes },
  servers: {
    'dup.x': few,
    'dup/x': few,
    'My Server': few.slice(0, 1),
    'a-very-long-server-name-for-a-probe-0123456789': names.slice(0, 80),
    日本: few.slice(0, 1),
  },
  ...flawRuns,
};
