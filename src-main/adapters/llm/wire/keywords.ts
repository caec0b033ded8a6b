import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';

/** Keywords of JSON Schema whose value is a schema, a list of schemas or a map of schemas. */
export const schemaKeywords = new Set(
  (
    'additionalProperties unevaluatedProperties unevaluatedItems items contains not if then ' +
    'else propertyNames contentSchema'
  ).split(' '),
);
export const schemaListKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
export const schemaMapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Keywords that only name or reference schemas: references are inlined, so none is sent. */
export const omittedKeywords = new Set([
  '$id',
  '$schema',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  '$comment',
  '$defs',
  'definitions',
]);

const isString = (value: JsonValue) => typeof value === 'string';
const isNumber = (value: JsonValue) => typeof value === 'number';
const isCount = (value: JsonValue) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isBoolean = (value: JsonValue) => typeof value === 'boolean';
const isUniqueStrings = (value: JsonValue) =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;

/** Checks of keyword values under 2020-12; a keyword that is not listed may have any value. */
export const valueChecks: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  title: isString,
  description: isString,
  format: isString,
  contentEncoding: isString,
  contentMediaType: isString,
  pattern: (value) => typeof value === 'string' && isPattern(value),
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: isBoolean,
  deprecated: isBoolean,
  readOnly: isBoolean,
  writeOnly: isBoolean,
  required: isUniqueStrings,
  dependentRequired: (value) => isJsonObject(value) && Object.values(value).every(isUniqueStrings),
  enum: (value) => Array.isArray(value) && value.length > 0,
  examples: (value) => Array.isArray(value),
};

const typeNames = new Set<JsonValue>([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

/** The type names among what a schema gives as its type, each once. */
export function readTypes(value: JsonValue | undefined): string[] {
  const given = Array.isArray(value) ? value : [value ?? null];
  return [...new Set(given.filter((name): name is string => typeNames.has(name)))];
}

/** The pattern is compiled, but never run: the judge runs patterns with a time limit. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
