import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';

/** The meaning of one line of a server's standard output. */
export type Line =
  | { kind: 'message'; message: JSONRPCMessage; noise: string }
  | { kind: 'noise'; noise: string }
  | { kind: 'malformed'; id: string | number; text: string };

/**
 * Finds a message in a line, even after a banner, between color sequences, or with a byte order
 * mark, carriage returns or NULs around it. A line with an id but without a message is a malformed
 * answer.
 */
export function readLine(bytes: Buffer): Line[] {
  const text = bytes.toString('utf8');
  const whole = parse(text);
  if (whole !== undefined)
    return Array.isArray(whole)
      ? whole.map((item) => classify(item, text, ''))
      : [classify(whole, text, '')];
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return [{ kind: 'noise', noise: text }];
  const inner = parse(text.slice(start, end + 1));
  const around = `${text.slice(0, start)}${text.slice(end + 1)}`;
  if (inner !== undefined) return [classify(inner, text, around)];
  const id = idInBrokenText(text.slice(start));
  return [id === null ? { kind: 'noise', noise: text } : { kind: 'malformed', id, text }];
}

/** A line that was already split off; `start` is its beginning, for messages. */
export function readValue(value: unknown, start: string): Line[] {
  return Array.isArray(value)
    ? value.map((item) => classify(item, start, ''))
    : [classify(value, start, '')];
}

function classify(value: unknown, text: string, noise: string): Line {
  if (!isJsonObject(value)) return { kind: 'noise', noise: text };
  const { id, method, result, error } = value;
  const known = typeof id === 'string' || typeof id === 'number';
  const rightShape =
    value['jsonrpc'] === '2.0' &&
    (typeof method === 'string'
      ? result === undefined && error === undefined && (known || id === undefined)
      : known &&
        (isJsonObject(result) ? error === undefined : result === undefined && isError(error)));
  // The shape was just checked. Other members are left out, because the SDK rejects a message with
  // additional members.
  if (rightShape) return { kind: 'message', message: trim(value), noise };
  return known && method === undefined
    ? { kind: 'malformed', id, text }
    : { kind: 'noise', noise: text };
}

function trim(value: JsonObject): JSONRPCMessage {
  const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'].filter(
    (name) => name in value,
  );
  return Object.fromEntries(
    members.map((name) => [name, value[name]]),
  ) as unknown as JSONRPCMessage;
}

const isError = (error: unknown): boolean =>
  isJsonObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Applied only to text that is clearly a message, because a log line may contain an "id" too. */
function idInBrokenText(text: string): string | number | null {
  const start = text.slice(0, 2000);
  if (!start.includes('"jsonrpc"') || start.includes('"method"')) return null;
  const match = /"id"\s*:\s*(?:(-?\d+)|"([^"\\]*)")/.exec(start);
  if (match === null) return null;
  return match[1] === undefined ? (match[2] ?? null) : Number(match[1]);
}
