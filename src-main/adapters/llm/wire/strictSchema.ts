import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readTypes } from './keywords.ts';

/** Keywords that strict mode doesn't support: a schema with one is sent without strict mode. */
const unsupportedKeywords = (
  'allOf oneOf not if then else patternProperties propertyNames dependentRequired ' +
  'dependentSchemas unevaluatedProperties unevaluatedItems contains prefixItems minProperties ' +
  'maxProperties'
).split(' ');

/**
 * The narrower form that strict mode needs: every object is closed and every parameter required,
 * and an optional parameter may be null. `withoutAddedNulls` removes these nulls from the
 * arguments. Source: docs/rules.md §3.
 */
export function strictSchema(schema: JsonObject): { schema: JsonObject } | { reason: string } {
  const found: { reason: string | null } = { reason: null };
  const made = close(schema, found);
  return found.reason === null && isJsonObject(made)
    ? { schema: made }
    : { reason: found.reason ?? 'it allows anything' };
}

function close(value: JsonValue, found: { reason: string | null }): JsonValue {
  if (!isJsonObject(value)) {
    found.reason ??= 'a part allows anything';
    return value;
  }
  const bad = unsupportedKeywords.find((keyword) => keyword in value);
  if (bad !== undefined) found.reason ??= `it uses ${bad}`;
  const made: JsonObject = { ...value };
  if (Array.isArray(value['anyOf']))
    made['anyOf'] = value['anyOf'].map((each) => close(each, found));
  if ('items' in value) made['items'] = close(value['items'] ?? null, found);
  if (
    !('anyOf' in value || 'enum' in value || 'const' in value) &&
    readTypes(value['type']).length === 0
  )
    found.reason ??= 'a parameter has no type';
  if (readTypes(value['type']).includes('object') || 'properties' in value)
    closeObject(value, made, found);
  return made;
}

function closeObject(value: JsonObject, made: JsonObject, found: { reason: string | null }): void {
  const properties = isJsonObject(value['properties']) ? value['properties'] : {};
  if (isJsonObject(value['additionalProperties']) || value['additionalProperties'] === true)
    found.reason ??= 'an object allows additional properties';
  else if (Object.keys(properties).length === 0 && value['additionalProperties'] !== false)
    found.reason ??= 'an object declares no parameters';
  const required = requiredOf(value);
  made['properties'] = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => {
      const closed = close(each, found);
      return [
        name,
        required.has(name) || acceptsNull(each) ? closed : { anyOf: [closed, { type: 'null' }] },
      ];
    }),
  );
  made['required'] = Object.keys(properties);
  made['additionalProperties'] = false;
}

/**
 * The arguments as they would have been without strict mode: an optional parameter is left out
 * where it is null only because strict mode requires it.
 */
export function withoutAddedNulls(value: JsonValue, schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => withoutAddedNulls(each, schema['items']));
  if (!isJsonObject(value) || !isJsonObject(schema['properties'])) return value;
  const { properties } = schema;
  const required = requiredOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]): [string, JsonValue][] => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (each === null && own !== undefined && !required.has(name) && !acceptsNull(own)) return [];
      return [[name, withoutAddedNulls(each, own)]];
    }),
  );
}

function acceptsNull(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return true;
  if (schema['const'] === null && 'const' in schema) return true;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null);
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].some(acceptsNull);
  return readTypes(schema['type']).includes('null');
}

const requiredOf = (schema: JsonObject): ReadonlySet<JsonValue> =>
  new Set(Array.isArray(schema['required']) ? schema['required'] : []);
