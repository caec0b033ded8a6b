import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';

/** A received message; `id` is undefined for a notification. */
export interface Incoming {
  id: string | number | undefined;
  method: string;
  params: JsonObject;
}

/**
 * The output to the client: whole messages, or raw bytes (standard output or the body of the HTTP
 * answer).
 */
export interface Wire {
  send(message: JsonObject): void;
  raw(bytes: string | Buffer): void;
}

/** The behavior of a mode in front of the ordinary one; `next` answers like a correct server. */
export interface Mode {
  start?(wire: Wire): void;
  handle?(message: Incoming, wire: Wire, next: () => void): void;
  /** Replaces the pages of tools/list. */
  page?: (cursor: string | undefined) => Page;
  /** Replaces what is announced besides tools. */
  offers?: JsonObject;
  /** Replaces the answers to the lists of prompts, resources and templates; null is an unknown method. */
  items?: (method: string, cursor: string | undefined) => JsonObject | null;
  /** Never reads standard input. */
  deaf?: boolean;
}

export interface Page {
  tools: JsonValue[];
  nextCursor?: JsonValue;
}

export const result = (message: Incoming, value: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: message.id ?? null,
  result: value,
});
export const failure = (message: Incoming, code: number, text: string): JsonObject => ({
  jsonrpc: '2.0',
  id: message.id ?? null,
  error: { code, message: text },
});

export const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});
