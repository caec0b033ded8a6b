import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { writeAnswer, writeError, type FakeAnswer } from './answer.ts';
import type { SentResult } from './conversation.ts';
import type { Dialect } from './toolRules.ts';

export interface SeenRequest {
  method: string;
  path: string;
  /** The query of its address, such as `?api-version=1`. */
  search: string;
  headers: IncomingHttpHeaders;
  dialect: Dialect | null;
  body: JsonObject;
  query: string;
  toolNames: string[];
  /** The results of earlier tool calls, in order. */
  results: SentResult[];
}

/** What the server does with a valid request. */
export type Reaction =
  | ({ does: 'answer' } & FakeAnswer)
  | { does: 'http'; status: number; headers?: Record<string, string>; body: string | Buffer }
  | {
      does: 'error';
      status: number;
      type: string;
      message: string;
      code?: string;
      headers?: Record<string, string>;
    }
  | { does: 'stall before headers' | 'stall in body' | 'stall in stream' | 'reset' | 'cut off' };

/** Answers a request, or fails in the way that the reaction says. */
export function react(
  dialect: Dialect,
  { body }: SeenRequest,
  reaction: Reaction,
  response: ServerResponse,
): void {
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const beginning = '{"id":"resp_1","object":';
  switch (reaction.does) {
    case 'answer':
      send(response, 200, writeAnswer(dialect, model, reaction));
      return;
    case 'error':
      send(
        response,
        reaction.status,
        writeError(dialect, reaction.type, reaction.message, reaction.code),
        reaction.headers,
      );
      return;
    case 'http':
      response
        .writeHead(reaction.status, { 'content-type': 'application/json', ...reaction.headers })
        .end(reaction.body);
      return;
    case 'stall in body':
      response.writeHead(200, { 'content-type': 'application/json' }).write(beginning);
      return;
    case 'stall in stream':
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`event: message\ndata: ${beginning}\n\n`);
      return;
    case 'cut off':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write(beginning, () => response.destroy());
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'stall before headers':
  }
}

/** Sends a JSON body. */
export function send(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}
