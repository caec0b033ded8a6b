import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';

/** Where the keywords of JSON Schema hold further schemas. */
export const holdsSchema = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'contentSchema',
]);
export const holdsSchemaList = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
export const holdsSchemaMap = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/**
 * They name or point; what is sent stands for itself. `id` is the older form, where it names a
 * schema.
 */
export const neverSent = new Set([
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

const isText = (value: JsonValue) => typeof value === 'string';
const isNumber = (value: JsonValue) => typeof value === 'number';
const isCount = (value: JsonValue) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isFlag = (value: JsonValue) => typeof value === 'boolean';
const isNames = (value: JsonValue) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

/**
 * What the value of a keyword must be under 2020-12; a keyword that is not here may hold anything.
 */
export const takes: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  title: isText,
  description: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
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
  uniqueItems: isFlag,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  required: isNames,
  dependentRequired: (value) => isJsonObject(value) && Object.values(value).every(isNames),
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

/** Compiled, never run: a pattern that takes for ever is the judge's matter. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
