import type { Ajv, FuncKeywordDefinition } from 'ajv';
import { canonicalJson } from '../../src-shared/domain/canonicalJson.ts';
import {
  compareNumbers,
  isMultipleOf,
  isNumber,
  isWhole,
  nearestDouble,
  numberText,
  type ExactNumber,
} from '../../src-shared/domain/exactNumber.ts';
import type { JsonValue } from '../../src-shared/domain/json.ts';

type DataValidateFunction = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

/** What a copy with plain numbers was made from. */
const originals = new WeakMap<object, object>();

/**
 * A plain number with the type of the exact one: Ajv only asks whether it is a whole number, and the
 * keywords below read the original. Limits on lengths are compared as they are.
 */
function plainNumber(value: ExactNumber): number {
  const near = nearestDouble(value);
  if (!Number.isFinite(near)) return Math.sign(near) * Number.MAX_VALUE;
  if (isWhole(value)) return near;
  return Number.isInteger(near) ? Math.sign(near) + 0.5 : near;
}

function holdsExact(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExact);
}

function copy(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return plainNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  const copied = Array.isArray(value)
    ? value.map(copy)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
  originals.set(copied, value);
  return copied;
}

/**
 * The form in which schemas and values are given to an instance that `addExactKeywords` prepared:
 * without numbers that Ajv doesn't know. Recursive: the depth must already be limited.
 */
export function forAjv<V extends JsonValue>(value: V): V {
  return holdsExact(value) ? (copy(value) as V) : value;
}

/** The original of a member of a schema or of the data. */
function originalOf(
  member: JsonValue,
  parent: object | undefined,
  key: string | number,
): JsonValue {
  if (typeof member === 'object' && member !== null)
    return (originals.get(member) as JsonValue | undefined) ?? member;
  const original: unknown = parent && originals.get(parent);
  const exact: unknown = original ? Reflect.get(original, key) : undefined;
  return isNumber(exact) ? exact : member;
}

interface Check {
  holds: (data: JsonValue) => boolean;
  message: string;
  params: Record<string, unknown>;
}

/** A keyword whose check gets the original limit and the original data. */
function keyword(
  name: string,
  type: FuncKeywordDefinition['type'],
  prepare: (limit: JsonValue) => Check,
): FuncKeywordDefinition {
  return {
    keyword: name,
    ...(type === undefined ? {} : { type }),
    errors: true,
    compile(limit: JsonValue, parentSchema: object) {
      const { holds, message, params } = prepare(originalOf(limit, parentSchema, name));
      const validate: DataValidateFunction = (data: JsonValue, context) => {
        const { parentData, parentDataProperty = '' } = context ?? {};
        if (holds(originalOf(data, parentData, parentDataProperty))) return true;
        validate.errors = [{ keyword: name, message, params }];
        return false;
      };
      return validate;
    },
  };
}

function limitKeyword(
  name: string,
  comparison: string,
  fits: (order: number) => boolean,
): FuncKeywordDefinition {
  return keyword(name, 'number', (limit) => ({
    holds: (data) => !isNumber(data) || !isNumber(limit) || fits(compareNumbers(data, limit)),
    message: `must be ${comparison} ${isNumber(limit) ? numberText(limit) : ''}`,
    params: { comparison, limit },
  }));
}

const asList = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : []);

/** In the order in which Ajv defines them, so that errors keep their order. */
const keywords: FuncKeywordDefinition[] = [
  limitKeyword('maximum', '<=', (order) => order <= 0),
  limitKeyword('minimum', '>=', (order) => order >= 0),
  limitKeyword('exclusiveMaximum', '<', (order) => order < 0),
  limitKeyword('exclusiveMinimum', '>', (order) => order > 0),
  keyword('multipleOf', 'number', (divisor) => ({
    holds: (data) => !isNumber(data) || !isNumber(divisor) || isMultipleOf(data, divisor),
    message: `must be multiple of ${isNumber(divisor) ? numberText(divisor) : ''}`,
    params: { multipleOf: divisor },
  })),
  keyword('uniqueItems', 'array', (unique) => ({
    holds: (data) =>
      unique !== true || new Set(asList(data).map(canonicalJson)).size === asList(data).length,
    message: 'must NOT have duplicate items',
    params: {},
  })),
  keyword('const', undefined, (value) => ({
    holds: (data) => canonicalJson(data) === canonicalJson(value),
    message: 'must be equal to constant',
    params: { allowedValue: value },
  })),
  keyword('enum', undefined, (values) => {
    const allowed = new Set(asList(values).map(canonicalJson));
    return {
      holds: (data) => allowed.has(canonicalJson(data)),
      message: 'must be equal to one of the allowed values',
      params: { allowedValues: values },
    };
  }),
];

/**
 * Replaces the keywords that compare numbers: in decimal, so that 19.99 is a multiple of 0.01, and
 * without loss beyond 2^53. Ajv compares doubles.
 */
export function addExactKeywords(ajv: Ajv): void {
  for (const definition of keywords) {
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
}
