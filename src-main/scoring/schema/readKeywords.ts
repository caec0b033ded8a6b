import { isNumber, isWhole, compareNumbers } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { SchemaDialect } from './schemaDialect.ts';
import { schemaPattern } from './schemaPattern.ts';

/** What a keyword without subschemas says in 2020-12; a text is why it says nothing. */
type Reading = JsonObject | string;

const typeNames = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

const limit = (name: string) => (value: JsonValue) =>
  isNumber(value) ? { [name]: value } : 'it is not a number';

const count = (name: string) => (value: JsonValue) =>
  isNumber(value) && isWhole(value) && compareNumbers(value, 0) >= 0
    ? { [name]: value }
    : 'it is not a whole number from 0';

/** A limit that may be exclusive: a number, or in draft-04 and OpenAPI 3.0 a flag of the other one. */
const exclusive =
  (name: string, plain: string) =>
  (value: JsonValue, { raw }: Place): Reading => {
    if (isNumber(value)) return { [name]: value };
    if (typeof value !== 'boolean') return 'it is not a number';
    if (!value) return {};
    const bound = raw[plain];
    return isNumber(bound) ? { [name]: bound } : `it is true, and there is no ${plain}`;
  };

function readType(value: JsonValue, { raw }: Place): Reading {
  const names = (Array.isArray(value) ? value : [value]).map((name) =>
    typeof name === 'string' ? name.toLowerCase() : name,
  );
  if (names.includes('any')) return {};
  const unknown = names.find((name) => typeof name !== 'string' || !typeNames.has(name));
  if (unknown !== undefined) return `${shown(unknown)} isn't a type`;
  if (names.length === 0) return 'it names no type';
  if (raw['nullable'] === true) names.push('null');
  const distinct = [...new Set(names)];
  return { type: distinct.length === 1 ? (distinct[0] ?? distinct) : distinct };
}

function readNames(name: string, value: JsonValue): Reading {
  // On a parameter, as draft-03 has it: `properties` reads that.
  if (typeof value === 'boolean' && name === 'required') return {};
  if (!Array.isArray(value)) return 'it is not a list of names';
  const names = value.filter((each) => typeof each === 'string');
  return names.length === value.length
    ? { [name]: [...new Set(names)] }
    : 'not every name is a text';
}

function readDependentRequired(value: JsonValue): Reading {
  if (!isJsonObject(value)) return 'it is not an object';
  const lists = Object.entries(value);
  return lists.every(([, names]) => isNameList(names))
    ? { dependentRequired: value }
    : 'not every value is a list of names';
}

const isNameList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

export const shown = (value: JsonValue): string => JSON.stringify(value).slice(0, 60);

interface Place {
  raw: JsonObject;
  dialect: SchemaDialect;
}

interface PlainKeyword {
  /** The drafts that have it. */
  since?: SchemaDialect;
  until?: SchemaDialect;
  read: (value: JsonValue, place: Place) => Reading;
}

/**
 * The keywords that decide without subschemas. Everything that is listed neither here nor in
 * `readSchema` is an annotation and decides nothing, whatever its value is.
 */
const plainKeywords: Readonly<Record<string, PlainKeyword>> = {
  type: { read: readType },
  enum: {
    read: (value) =>
      !Array.isArray(value)
        ? 'it is not a list'
        : value.length === 0
          ? 'it lists no value'
          : { enum: value },
  },
  const: { since: 6, read: (value) => ({ const: value }) },
  multipleOf: { since: 4, read: readMultipleOf },
  divisibleBy: { until: 3, read: readMultipleOf },
  minimum: {
    read: (value, { raw }) =>
      raw['exclusiveMinimum'] === true && isNumber(value) ? {} : limit('minimum')(value),
  },
  maximum: {
    read: (value, { raw }) =>
      raw['exclusiveMaximum'] === true && isNumber(value) ? {} : limit('maximum')(value),
  },
  exclusiveMinimum: { read: exclusive('exclusiveMinimum', 'minimum') },
  exclusiveMaximum: { read: exclusive('exclusiveMaximum', 'maximum') },
  minLength: { read: count('minLength') },
  maxLength: { read: count('maxLength') },
  minItems: { read: count('minItems') },
  maxItems: { read: count('maxItems') },
  minProperties: { since: 4, read: count('minProperties') },
  maxProperties: { since: 4, read: count('maxProperties') },
  minContains: { since: 2019, read: count('minContains') },
  maxContains: { since: 2019, read: count('maxContains') },
  uniqueItems: {
    read: (value) =>
      typeof value === 'boolean' ? { uniqueItems: value } : 'it is neither true nor false',
  },
  pattern: {
    read: (value) =>
      typeof value !== 'string'
        ? 'it is not a text'
        : schemaPattern(value) === null
          ? "it isn't a pattern of ECMAScript"
          : { pattern: value },
  },
  format: { read: (value) => (typeof value === 'string' ? { format: value } : 'it is not a text') },
  required: { read: (value) => readNames('required', value) },
  dependentRequired: { since: 2019, read: readDependentRequired },
};

function readMultipleOf(value: JsonValue): Reading {
  return isNumber(value) && compareNumbers(value, 0) > 0
    ? { multipleOf: value }
    : 'it is not a number above 0';
}

/** Whether a draft has a keyword. */
export const isIn = (
  dialect: SchemaDialect,
  { since = 3, until = 2020 }: { since?: SchemaDialect; until?: SchemaDialect },
): boolean => dialect >= since && dialect <= until;

/** What the keywords without subschemas say in 2020-12, and which of them say nothing, with the reason. */
export function readPlainKeywords(place: Place): {
  keywords: JsonObject;
  unreadable: { keyword: string; reason: string }[];
} {
  const keywords: JsonObject = {};
  const unreadable: { keyword: string; reason: string }[] = [];
  for (const [keyword, value] of Object.entries(place.raw)) {
    if (!Object.hasOwn(plainKeywords, keyword)) continue;
    const known = plainKeywords[keyword];
    if (known === undefined || !isIn(place.dialect, known)) continue;
    const reading = known.read(value, place);
    if (typeof reading === 'string') unreadable.push({ keyword, reason: reading });
    else Object.assign(keywords, reading);
  }
  return { keywords, unreadable };
}
