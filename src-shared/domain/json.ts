import { z } from 'zod';
import type { ExactNumber } from './exactNumber.ts';

/** A number that a double can't hold is an `ExactNumber`. */
export type JsonValue =
  string | number | ExactNumber | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/**
 * Deeper values are hostile: no real tool, case or answer nests like this, and copying them would
 * exhaust the stack.
 */
const maxJsonDepth = 10_000;

/** Checks without recursion, so that no depth can exhaust the stack before it is rejected. */
export function isJson(root: unknown, maxDepth = maxJsonDepth): boolean {
  if (!isContainer(root)) return isPlainJson(root);
  let level: Container[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return false;
    // Plain values are checked where they are found: most values are plain.
    const below: Container[] = [];
    const take = (child: unknown): boolean => {
      if (!isContainer(child)) return depth < maxDepth && isPlainJson(child);
      below.push(child);
      return true;
    };
    for (const value of level) {
      if (Array.isArray(value)) {
        for (const child of value) if (!take(child)) return false;
      } else {
        // Object.values takes twice as long where there are 100,000 members.
        for (const key of Object.keys(value)) if (!take(value[key])) return false;
      }
    }
    level = below;
  }
  return true;
}

type Container = unknown[] | Record<string, unknown>;

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

const isPlainJson = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  typeof value === 'bigint' ||
  (typeof value === 'number' && Number.isFinite(value));

/** Any JSON value up to the depth limit. */
export const jsonValue: z.ZodType<JsonValue> = z.custom<JsonValue>(
  (value) => isJson(value),
  "It isn't a JSON value, or is nested too deeply.",
);
export const jsonObject: z.ZodType<JsonObject> = z
  .custom<JsonObject>(
    (value) => isJsonObject(value) && isJson(value),
    'It isn’t a JSON object, or is nested too deeply.',
  )
  // Used in published JSON Schemas.
  .meta({ type: 'object' });

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
