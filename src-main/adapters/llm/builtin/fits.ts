import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { Slot } from './slots.ts';

const formats = new Map<string, RegExp>([
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/u],
  ['uri', /^[a-z][a-z0-9+.-]*:\S+$/iu],
  ['date', /^\d{4}-\d{2}-\d{2}$/u],
  ['time', /^\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/u],
  ['date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/u],
  ['uuid', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu],
]);

/**
 * True where a value conforms to the slot's type, `enum`, `const`, bounds, lengths and format, so
 * that nothing plainly wrong is sent. `pattern` is not checked: a published expression may run
 * forever, and it is judged later, where it can be stopped.
 */
export function fits(value: JsonValue, slot: Slot): boolean {
  const { schema } = slot;
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) return false;
  switch (slot.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value) && inBounds(Number(value), schema);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && inBounds(value, schema);
    case 'string':
      return (
        typeof value === 'string' &&
        lengthFits(Array.from(value).length, schema, 'minLength', 'maxLength') &&
        formatFits(value, schema)
      );
    case 'array':
      return Array.isArray(value) && lengthFits(value.length, schema, 'minItems', 'maxItems');
    case 'object':
      return isJsonObject(value);
  }
}

function inBounds(value: number, schema: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return false;
  if (typeof maximum === 'number' && value > maximum) return false;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false;
  if (typeof multipleOf !== 'number' || multipleOf <= 0) return true;
  const quotient = value / multipleOf;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function lengthFits(length: number, schema: JsonObject, least: string, most: string): boolean {
  const minimum = schema[least];
  const maximum = schema[most];
  return (
    (typeof minimum !== 'number' || length >= minimum) &&
    (typeof maximum !== 'number' || length <= maximum)
  );
}

function formatFits(value: string, schema: JsonObject): boolean {
  const format = schema['format'];
  const expected =
    typeof format === 'string' ? formats.get(format === 'url' ? 'uri' : format) : undefined;
  return expected === undefined || expected.test(value);
}
