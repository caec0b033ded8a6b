import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { lenientMessage } from './lenientMessages.ts';

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
export const readLine = (bytes: Buffer): Line[] => readLineText(bytes.toString('utf8'));

/** The same for a line that was decoded. */
export function readLineText(text: string): Line[] {
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
  const message = lenientMessage(value);
  // The shape was just checked.
  if (message !== null)
    return { kind: 'message', message: message as unknown as JSONRPCMessage, noise };
  const { id, method } = value;
  return (typeof id === 'string' || typeof id === 'number') && method === undefined
    ? { kind: 'malformed', id, text }
    : { kind: 'noise', noise: text };
}

function parse(text: string): unknown {
  return orElse(() => parseJson(text), undefined);
}

/** Applied only to text that is clearly a message, because a log line may contain an "id" too. */
function idInBrokenText(text: string): string | number | null {
  const start = text.slice(0, 2000);
  if (!start.includes('"jsonrpc"') || start.includes('"method"')) return null;
  const match = /"id"\s*:\s*(?:(-?\d+)|"([^"\\]*)")/.exec(start);
  if (match === null) return null;
  return match[1] === undefined ? (match[2] ?? null) : Number(match[1]);
}
