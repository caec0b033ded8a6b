import { z } from 'zod';
import { isNumber } from './exactNumber.ts';
import { isJsonObject, jsonObject, jsonValue, type JsonValue } from './json.ts';
import { isJsonPointer } from './jsonPointer.ts';
import { toolReference } from './testCase.ts';

/**
 * Values that are known only when a task runs, by name: `today`, `run_dir`, `user_language` (null if it
 * isn't clear), and `before.NAME` for each reading that the task takes before its first turn.
 */
export const runValues = z.record(z.string(), jsonValue);
export type RunValues = z.infer<typeof runValues>;

const valueName = /^[A-Za-z_]\w*$/u;
/** A value that a tool returns before the first turn, by its name. */
export const readingsBefore = z.record(
  z.string().regex(valueName, 'A name has letters, digits, and "_", and begins with a letter.'),
  toolReference.extend({
    arguments: jsonObject.optional(),
    /** JSON pointer to a text, number, true, false or null in the result; absent: the whole result. */
    at: z.string().refine(isJsonPointer, 'A JSON pointer is empty or begins with "/".').optional(),
  }),
);

/** `{{today}}`, `{{today + 3d}}`, `{{before.balance - 2.5}}`, `{{run_dir}}`; other braces are text. */
const expression =
  /\{\{ *(today|run_dir|user_language|before\.[A-Za-z_]\w*) *(?:([+-]) *(\d{1,9}(?:\.\d{1,9})?)(d?) *)?\}\}/gu;

/** A value that can't be filled in: it wasn't recorded, or can't be calculated with. */
export class MissingRunValue extends Error {
  override readonly name = 'MissingRunValue';
}

/** The names of the values that a text or JSON value uses, each once. */
export const runValueNames = (value: unknown): string[] => [
  ...new Set([...JSON.stringify([value]).matchAll(expression)].map(([, name = '']) => name)),
];

/** What begins like a value and isn't one, such as `{{today + 3w}}`; null: nothing does. */
export const brokenRunValue = (text: string): string | null =>
  /\{\{ *(?:today|run_dir|user_language|before)\b[^}]*\}\}/u.exec(
    text.replaceAll(expression, ''),
  )?.[0] ?? null;

/** Whether the whole text is one value, which then keeps its type. */
export const isRunValue = (value: unknown): boolean =>
  typeof value === 'string' && value.replace(expression, '') === '' && value !== '';

const dayMs = 86_400_000;

function evaluate(match: readonly string[], values: RunValues): JsonValue {
  const [text = '', name = '', sign, amount = '', day] = match;
  if (!Object.hasOwn(values, name)) throw new MissingRunValue(`The value of ${name} is not known.`);
  const value = values[name] ?? null;
  if (sign === undefined) return value;
  const change = Number(amount) * (sign === '-' ? -1 : 1);
  if (name === 'today' && day === 'd' && Number.isInteger(change)) {
    const date = new Date(
      Date.parse(`${JSON.stringify(value).slice(1, -1)}T00:00:00Z`) + change * dayMs,
    );
    if (!Number.isNaN(date.getTime())) return date.toISOString().slice(0, 10);
  }
  if (name === 'today' || day === 'd' || !isNumber(value))
    throw new MissingRunValue(
      `${text} can't be calculated: days (d) are added to today, numbers to a reading that is a number.`,
    );
  // Decimals that people write have few digits: 0.1 + 0.2 is 0.3 to them.
  return Number((Number(value) + change).toPrecision(15));
}

function fillText(text: string, values: RunValues): JsonValue {
  const matches = [...text.matchAll(expression)];
  const [only] = matches;
  if (only?.[0] === text) return evaluate(only, values);
  return text.replace(expression, (...match: string[]) => {
    const value = evaluate(match, values);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/**
 * The same value with `{{…}}` replaced by the values of a run, at any depth. A text that is nothing
 * else becomes the value itself, with its type. Throws MissingRunValue.
 */
export function fillRunValues<Value>(value: Value, values: RunValues): Value {
  if (!JSON.stringify([value]).includes('{{')) return value;
  const fill = (part: JsonValue): JsonValue => {
    if (typeof part === 'string') return fillText(part, values);
    if (Array.isArray(part)) return part.map(fill);
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, fill(member)]));
  };
  return fill(value as JsonValue) as Value;
}

/** The same, with what can't be filled in left as it is written. */
export function fillWhereKnown<Value>(value: Value, values: RunValues | undefined): Value {
  try {
    return fillRunValues(value, values ?? {});
  } catch (error) {
    if (error instanceof MissingRunValue) return value;
    throw error;
  }
}

/** The date in the time zone of the computer, as `2026-11-27`. */
export const localDate = (at: Date): string =>
  [
    String(at.getFullYear()).padStart(4, '0'),
    ...[at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')),
  ].join('-');
