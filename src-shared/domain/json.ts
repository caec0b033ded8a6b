import { z } from 'zod';

export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/**
 * Deeper values are hostile: no real tool, case or answer nests like this, and copying them would
 * exhaust the stack.
 */
const maxJsonDepth = 10_000;

/** Checks without recursion, so that no depth can exhaust the stack before it is rejected. */
export function isJson(root: unknown, maxDepth = maxJsonDepth): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return false;
    const below: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value === 'string' || typeof value === 'boolean') continue;
      if (typeof value === 'number' ? !Number.isFinite(value) : typeof value !== 'object')
        return false;
      if (typeof value !== 'object') continue;
      for (const child of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
        below.push(child);
    }
    level = below;
  }
  return true;
}

/** Any JSON value up to the depth limit. */
export const jsonValue: z.ZodType<JsonValue> = z.custom<JsonValue>(
  (value) => isJson(value),
  'It is no JSON value, or nests too deep.',
);
export const jsonObject: z.ZodType<JsonObject> = z
  .custom<JsonObject>(
    (value) => isJsonObject(value) && isJson(value),
    'It is no JSON object, or nests too deep.',
  )
  // Used in published JSON Schemas.
  .meta({ type: 'object' });

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
