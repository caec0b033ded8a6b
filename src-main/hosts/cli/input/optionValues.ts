import type { z } from 'zod';
import { UsageError } from '../exitCodes.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';

/** Bounds of a zod schema, so that the command line accepts what the contract accepts. */
export interface Range {
  readonly minValue?: number | null;
  readonly maxValue?: number | null;
}

/** Parses a whole number within the bounds of its schema. Undefined if the option was not given. */
export function wholeNumber(
  text: string | undefined,
  option: string,
  { minValue, maxValue }: Range = { minValue: 0 },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const low = minValue ?? 0;
  const high = maxValue ?? Infinity;
  if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= low && value <= high)
    return value;
  throw new UsageError(
    `${option} ${text}: It needs a whole ` +
      `number${high === Infinity ? ` of ${low} or more` : ` from ${low} to ${high}`}.`,
  );
}

/** Parses one word of a closed list. */
export function oneOf<Word extends string>(
  text: string,
  option: string,
  known: readonly Word[],
): Word {
  const found = known.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(
    `${option} ${text}: Unknown value.${didYouMean(text, known)} Give one of ` +
      `${known.join(', ')}.`,
  );
}

/** Checks an http or https address. Undefined if the option was not given. */
export function webAddress(text: string | undefined, option: string): string | undefined {
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(
    `${option} ${text}: It isn't a URL. Give one that begins with http:// or https://.`,
  );
}

/** A port of this computer; 0 is any free one. */
export function readPort(text: string, option: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(
    `${option} ${text}: It isn't a port. Give a number from 0 (any free one) to 65535.`,
  );
}

/** A value that a schema accepts. Throws a UsageError that begins with where it comes from. */
export function readBy<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  from: string,
  unnamed = "The options can't be combined.",
): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`${from}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? unnamed}`);
}
