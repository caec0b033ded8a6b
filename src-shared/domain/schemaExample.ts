import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { valueAtPointer } from './jsonPointer.ts';

function resolve(schema: JsonObject, root: JsonObject, hops: number): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/') || hops <= 0) return schema;
  const target = valueAtPointer(root, reference.slice(1));
  return isJsonObject(target) ? resolve(target, root, hops - 1) : schema;
}

function example(given: JsonObject, root: JsonObject, depth: number): JsonValue {
  const schema = resolve(given, root, 8);
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['default'] !== undefined) return schema['default'];
  if (Array.isArray(schema['examples']) && schema['examples'][0] !== undefined)
    return schema['examples'][0];
  if (Array.isArray(schema['enum']) && schema['enum'][0] !== undefined) return schema['enum'][0];
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return depth <= 0 ? {} : requiredOf(schema, root, depth - 1);
    default:
      return null;
  }
}

function requiredOf(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = schema['properties'];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const result: JsonObject = {};
  for (const name of required) {
    if (typeof name !== 'string') continue;
    const property =
      isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    // A key such as “__proto__” must become a property, not a prototype.
    Object.defineProperty(result, name, {
      value: isJsonObject(property) ? example(property, root, depth) : null,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

/**
 * A first draft of arguments for a JSON Schema: its required names with the most telling value that
 * the schema itself gives.
 */
export function schemaExample(schema: JsonObject): JsonObject {
  return requiredOf(resolve(schema, schema, 8), schema, 4);
}
