import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/**
 * From 2026-07-28 on, a schema may ask for an argument to be repeated as an HTTP header
 * (`x-mcp-header` on a property that is reached through `properties` alone). Absent, null and
 * composed values are left out.
 */
export function paramHeaders(inputSchema: JsonObject, args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  collect(inputSchema, args, headers, 0);
  return headers;
}

function collect(
  schema: JsonObject,
  args: JsonObject,
  headers: Record<string, string>,
  depth: number,
): void {
  if (!isJsonObject(schema['properties']) || depth > 32) return;
  for (const [key, property] of Object.entries(schema['properties'])) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (!isJsonObject(property) || value === undefined) continue;
    const name = property['x-mcp-header'];
    const text = asText(value);
    if (typeof name === 'string' && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && text !== null)
      headers[`Mcp-Param-${name}`] = encode(text);
    if (isJsonObject(value)) collect(property, value, headers, depth + 1);
  }
}

function asText(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return null;
  return String(value);
}

/** Values that a header can't hold are sent as base64 of their UTF-8 bytes, marked as such. */
function encode(text: string): string {
  const plain =
    /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
