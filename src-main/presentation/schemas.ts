import type { ClientFacts, schemaRewrites } from '../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { isStrictlyValid } from './draft7.ts';

type Rewrite = (schema: JsonObject) => JsonObject | null;

/** Changes every text of a value, the names of members included. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [change(name), mapTexts(one, change)]),
  );
}

/**
 * Unicode as Claude Code cleans it: compatibility composition (NFKC), then without characters that
 * format, are for private use, or have no meaning (categories Cf, Co, Cn).
 */
export const cleanUnicode = (text: string): string =>
  text.normalize('NFKC').replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, '');

/** Members whose values are schemas by name, schemas in a list, and schemas. */
const byName = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const below = [
  ...byName,
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items', 'additionalProperties'],
  ...['additionalItems', 'contains', 'not', 'if', 'then', 'else'],
];

/** Changes the schemas of a schema, the inner ones first, but only below members of these names. */
function mapSchemas(
  value: JsonValue,
  change: (schema: JsonObject) => JsonValue,
  members: readonly string[] = below,
): JsonValue {
  const map = (one: JsonValue): JsonValue => mapSchemas(one, change, members);
  if (Array.isArray(value)) return value.map(map);
  if (!isJsonObject(value)) return value;
  return change(
    Object.fromEntries(
      Object.entries(value).map(([member, one]): [string, JsonValue] => {
        if (!members.includes(member)) return [member, one];
        return byName.includes(member) && isJsonObject(one)
          ? [member, Object.fromEntries(Object.entries(one).map(([name, of]) => [name, map(of)]))]
          : [member, map(one)];
      }),
    ),
  );
}

const without = (schema: JsonObject, ...members: string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([member]) => !members.includes(member)));

/** What Gemini CLI says of the parameter that it adds, cut to what it is. */
const waitForPrevious = {
  type: 'boolean',
  description:
    'Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.',
};

/** `type: [T, "null"]` as `type: T, nullable: true`, at the end as it is written last. */
function nullableType(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null')) return schema;
  const other = type.find((one) => one !== 'null');
  return other === undefined ? schema : { ...schema, type: other, nullable: true };
}

/** The keywords that Copilot CLI writes as text, because strict models refuse them, in its order. */
const constraints = (
  'minLength maxLength pattern format minimum maximum multipleOf exclusiveMinimum ' +
  'exclusiveMaximum contentEncoding contentMediaType unevaluatedItems contains minContains ' +
  'maxContains minItems maxItems uniqueItems patternProperties unevaluatedProperties ' +
  'propertyNames minProperties maxProperties dependentRequired dependentSchemas not if then ' +
  'else'
).split(' ');

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([member, one]) => [member, sortKeys(one)]));
}

/** A schema whose description ends with its members of these names, which are left out. */
function asText(schema: JsonObject, names: readonly string[]): JsonObject {
  const found = names.filter((name) => schema[name] !== undefined);
  if (found.length === 0) return schema;
  const text = `{${found.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(', ')}}`;
  const { description } = schema;
  const rest = without(schema, ...found);
  return {
    ...rest,
    description:
      typeof description === 'string' && description !== '' ? `${description}\n\n${text}` : text,
  };
}

function constraintsOf(schema: JsonObject): JsonObject {
  const next = asText(schema, constraints);
  if (next.type === 'array' && next.items === undefined) next.items = {};
  if (Array.isArray(next.items))
    next.items = next.items.length === 1 ? (next.items[0] ?? {}) : { anyOf: next.items };
  for (const member of ['items', 'additionalItems'])
    if (next[member] !== undefined) next[member] = schemaOf(next[member]);
  if (isJsonObject(next.properties))
    next.properties = Object.fromEntries(
      Object.entries(next.properties).map(([name, one]) => [name, schemaOf(one)]),
    );
  return typeof next.required === 'boolean' ? without(next, 'required') : next;
}

/** A schema in place of `true` and `false`. */
const schemaOf = (value: JsonValue): JsonValue =>
  value === true ? {} : value === false ? { description: '{schema: false}' } : value;

const propertiesOf = ({ properties }: JsonObject): JsonObject =>
  isJsonObject(properties) ? properties : {};

/** The root without unions, whose properties it takes over. */
function flatRoot(schema: JsonObject): JsonObject {
  let next = without(schema, 'not');
  const { allOf } = next;
  if (Array.isArray(allOf)) {
    const parts = allOf.filter(isJsonObject);
    const required = [next, ...parts].flatMap(({ required: names }) =>
      Array.isArray(names) ? names : [],
    );
    next = {
      ...without(next, 'allOf'),
      properties: Object.assign({}, propertiesOf(next), ...parts.map(propertiesOf)) as JsonObject,
      ...(required.length > 0 && { required: [...new Set(required)] }),
    };
  }
  for (const union of ['anyOf', 'oneOf']) {
    const variants = next[union];
    if (!Array.isArray(variants)) continue;
    const each = variants.filter(isJsonObject).map(propertiesOf);
    const names = [...new Set(each.flatMap((one) => Object.keys(one)))];
    const merged = names.map((name): [string, JsonValue] => [
      name,
      new Set(each.map((one) => JSON.stringify(one[name]))).size === 1
        ? (each[0]?.[name] ?? {})
        : {},
    ]);
    next = asText(
      { ...next, properties: { ...Object.fromEntries(merged), ...propertiesOf(next) } },
      [union],
    );
  }
  return next.type === 'object' && next.properties === undefined
    ? { ...next, properties: {} }
    : next;
}

/** The members that Codex sends, in the order in which it writes them. */
const responsesMembers = [
  '$ref',
  'type',
  'description',
  'enum',
  'items',
  'minItems',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  '$defs',
  'definitions',
];
const types = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'];
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const holds = (schema: JsonObject, members: readonly string[]): boolean =>
  members.some((member) => schema[member] !== undefined);

/** The type of a schema: what it says, else what its members mean; null if they mean none. */
function typeOf(schema: JsonObject): JsonValue {
  const named = [schema.type]
    .flat()
    .filter((one): one is string => typeof one === 'string' && types.includes(one));
  if (named.length > 0) return named.length === 1 ? (named[0] ?? null) : named;
  if (holds(schema, ['anyOf', 'oneOf', 'allOf', '$ref'])) return null;
  if (holds(schema, ['properties', 'required', 'additionalProperties'])) return 'object';
  if (holds(schema, ['items', 'prefixItems'])) return 'array';
  if (holds(schema, ['enum', 'format'])) return 'string';
  return holds(schema, bounds) ? 'number' : null;
}

/** A schema below the root as Codex reads it; one without a type or a union becomes `{}`. */
function subsetOf(value: JsonObject): JsonObject {
  const schema: JsonObject = value.const === undefined ? value : { ...value, enum: [value.const] };
  const type = typeOf(schema);
  const kinds = [type].flat();
  if (type === null && !holds(schema, ['anyOf', 'oneOf', 'allOf', '$ref'])) return {};
  const whole: JsonObject = {
    ...schema,
    ...(type !== null && { type }),
    ...((kinds.includes('object') || 'properties' in schema) && {
      properties: sorted(propertiesOf(schema)),
    }),
    ...(kinds.includes('array') && { items: schema.items ?? { type: 'string' } }),
  };
  return Object.fromEntries(
    responsesMembers.flatMap((member): [string, JsonValue][] => {
      const one = whole[member];
      if (one === undefined || (member === 'type' && type === null)) return [];
      return [[member, typeof one === 'boolean' && member === 'items' ? { type: 'string' } : one]];
    }),
  );
}
const sorted = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, typeof one === 'boolean' ? { type: 'string' } : one]),
  );

/** The definitions that a schema reaches, others left out. */
function reachable(schema: JsonObject): JsonObject {
  const found = new Set<string>();
  const look = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isJsonObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && !found.has($ref)) {
      found.add($ref);
      const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)/.exec($ref) ?? [];
      const definitions = schema[group];
      if (isJsonObject(definitions)) look(definitions[name]);
    }
    Object.values(value).forEach(look);
  };
  look(without(schema, '$defs', 'definitions'));
  let next = schema;
  for (const group of ['$defs', 'definitions']) {
    const definitions = next[group];
    if (!isJsonObject(definitions)) continue;
    const kept = Object.entries(definitions).filter(([name]) => found.has(`#/${group}/${name}`));
    next =
      kept.length === 0
        ? without(next, group)
        : { ...next, [group]: sorted(Object.fromEntries(kept)) };
  }
  return next;
}

/** What Codex leaves out of a schema that is too long, one after the other until it fits. */
const reductions: readonly Rewrite[] = [
  (schema) => mapSchemas(schema, (one) => without(one, 'description')) as JsonObject,
  (schema) =>
    mapSchemas(without(schema, '$defs', 'definitions'), (one) =>
      '$ref' in one ? {} : one,
    ) as JsonObject,
  (schema) => shallow(schema, 3),
  (schema) =>
    mapSchemas(schema, (one) => (holds(one, ['anyOf', 'oneOf', 'allOf']) ? {} : one)) as JsonObject,
];
const longestSchema = 5000;

/** Objects at this depth of properties become `{}`. */
function shallow(schema: JsonObject, depth: number): JsonObject {
  if (depth === 0) return schema.type === 'object' ? {} : schema;
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [
        name,
        isJsonObject(one) ? shallow(one, depth - 1) : one,
      ]),
    ),
  };
}

function responsesSubset(schema: JsonObject): JsonObject {
  const root = schema.type === undefined ? { ...schema, type: 'object' } : schema;
  let next = reachable(mapSchemas(root, subsetOf) as JsonObject);
  if (next.properties === undefined) next = { ...next, properties: {} };
  for (const reduce of reductions)
    if (JSON.stringify(next).length > longestSchema) next = reduce(next) ?? next;
  return next;
}

/** Members as assigning them one by one leaves them: without one named `__proto__`. */
const assigned = (members: JsonValue): JsonValue =>
  isJsonObject(members) ? without(members, '__proto__') : members;

/** Where Copilot CLI looks for constraints. */
const copilotMembers = [
  ...['properties', '$defs', 'definitions', 'anyOf', 'oneOf', 'allOf'],
  ...['items', 'additionalProperties', 'additionalItems'],
];

/** Ajv, which reads it in Qwen Code, runs out of stack on one as large as this. */
const largest = 200_000;

/** The members of a schema that asks for no arguments. */
const parameterless = new Set([
  ...['$comment', '$schema', 'additionalProperties', 'deprecated', 'description', 'examples'],
  ...['properties', 'readOnly', 'title', 'type', 'writeOnly'],
]);
/** From here on Qwen Code leaves out a limit of lengths and items. */
const longLimit = 1999;

/**
 * What Qwen Code leaves out so that a grammar can be made of a schema: more where the whole schema
 * compiles strictly, because it can check the arguments itself then. Null if it sends no parameters.
 */
function withoutQwenKeywords(schema: JsonObject): JsonObject | null {
  let known: boolean | null = null;
  const isStrict = (): boolean =>
    (known ??=
      !('$id' in schema) && isStrictlyValid(schema) && JSON.stringify(schema).length <= largest);
  const next = mapSchemas(schema, (one) => {
    const { properties, required, type } = one;
    const names = Object.keys(propertiesOf(one));
    const isEmpty = isJsonObject(properties) && names.length === 0;
    const takesObjects = [type].flat().some((kind) => kind === undefined || kind === 'object');
    const isOpen = names.some((name) => !(Array.isArray(required) && required.includes(name)));
    const isBare = isEmpty || (takesObjects && properties === undefined);
    const limits = ['minLength', 'maxLength', 'minItems', 'maxItems'].filter(
      (limit) => typeof one[limit] === 'number' && one[limit] >= longLimit,
    );
    return without(
      one,
      ...['uniqueItems', '$schema', '$id'],
      ...(one.additionalProperties === false && (isOpen || (isBare && isStrict()))
        ? ['additionalProperties']
        : []),
      ...(limits.length > 0 && isStrict() ? limits : []),
      ...(isEmpty && isStrict() ? ['properties'] : []),
    );
  }) as JsonObject;
  const { properties, additionalProperties: more } = schema;
  const takesNothing =
    properties === undefined
      ? more === false
      : Object.keys(propertiesOf(schema)).length === 0 && (more === false || more === undefined);
  return takesNothing &&
    isStrict() &&
    next.type === 'object' &&
    Object.keys(schema).every((member) => parameterless.has(member))
    ? null
    : next;
}

/** Each change as it was seen in the requests of the client; null: the tool has no parameters. */
const rewrites: Readonly<Record<(typeof schemaRewrites)[number], Rewrite>> = {
  'clean-unicode': (schema) => mapTexts(schema, cleanUnicode) as JsonObject,
  // How the SDK's reader of lists writes a schema.
  'known-members-first': ({ type, properties, required, ...rest }) => ({
    ...(type !== undefined && { type }),
    ...(properties !== undefined && { properties: assigned(properties) }),
    ...(required !== undefined && { required }),
    ...rest,
  }),
  'properties-added': (schema) =>
    schema.properties === undefined ? { ...schema, properties: {} } : schema,
  'nullable-types': (schema) => mapSchemas(schema, nullableType) as JsonObject,
  'wait-for-previous': (schema) => ({
    ...schema,
    properties: { ...propertiesOf(schema), wait_for_previous: waitForPrevious },
  }),
  'typed-root': (schema) => (schema.type === undefined ? { type: 'object', ...schema } : schema),
  'closed-root': (schema) => ({ ...schema, additionalProperties: false }),
  'without-schema-uri': (schema) => without(schema, '$schema'),
  'without-qwen-keywords': withoutQwenKeywords,
  'root-members-only': ({ required, properties }) => ({
    type: 'object',
    ...(required !== undefined && { required }),
    properties: assigned(properties ?? {}),
  }),
  'constraints-as-text': (schema) =>
    mapSchemas(
      flatRoot(sortKeys({ ...schema, type: 'object' }) as JsonObject),
      constraintsOf,
      copilotMembers,
    ) as JsonObject,
  'responses-subset': responsesSubset,
};

/** A tool's schema as a client sends it; null if it sends none. */
export function rewriteSchema(schema: JsonObject, facts: ClientFacts): JsonObject | null {
  let next: JsonObject | null = schema;
  for (const name of facts.schema) next = next === null ? null : rewrites[name](next);
  return next;
}
