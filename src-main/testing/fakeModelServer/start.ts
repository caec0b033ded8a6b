import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { writeAnswer, writeError, type FakeAnswer } from './answer.ts';
import { readTools, refusalOf, type Dialect } from './toolRules.ts';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  dialect: Dialect | null;
  body: JsonObject;
  query: string;
  toolNames: string[];
}

/** What the server does with one request that it would take. */
export type Reaction =
  | ({ does: 'answer' } & FakeAnswer)
  | { does: 'http'; status: number; headers?: Record<string, string>; body: string | Buffer }
  | { does: 'error'; status: number; type: string; message: string; code?: string; headers?: Record<string, string> }
  | { does: 'stall before headers' | 'stall in body' | 'reset' | 'cut off' };

export interface FakeModelServer extends AsyncDisposable {
  /** http://127.0.0.1:port, without a path. */
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Each is used once, in turn; afterwards the rule answers again. */
  script(...reactions: Reaction[]): void;
  /** Resolves once so many requests have come. */
  seen(count: number): Promise<void>;
}

export interface FakeModelServerOptions {
  /** Refuses every other key. */
  key?: string;
  models?: string[];
  rule?: (request: SeenRequest) => Reaction;
  /** Answers requests for embeddings; left out: the server has none. */
  embeddings?: (body: JsonObject) => JsonObject;
}

const dialects: Readonly<Record<string, Dialect>> = { '/v1/responses': 'responses', '/v1/chat/completions': 'chat', '/v1/messages': 'messages' };

/** Calls the tool whose wire name, or its part behind `__`, stands in the query; answers in words where none does. */
export function callWhatIsNamed(request: SeenRequest): Reaction {
  const named = request.toolNames.find((name) => request.query.includes(name)) ?? request.toolNames.find((name) => request.query.includes(name.slice(name.indexOf('__') + 2)));
  return named === undefined ? { does: 'answer', text: 'I can answer that without a tool.' } : { does: 'answer', calls: [{ name: named, arguments: {} }] };
}

/** A server that speaks the wire formats of the providers over HTTP and refuses what they refuse. */
export async function startFakeModelServer({ key, models = ['fake-model'], rule = callWhatIsNamed, embeddings }: FakeModelServerOptions = {}): Promise<FakeModelServer> {
  const requests: SeenRequest[] = [];
  const scripted: Reaction[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer((incoming, response) => {
    void take(incoming, response).catch(() => response.destroy());
  });
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const path = new URL(incoming.url ?? '/', 'http://fake').pathname;
    const dialect = dialects[path] ?? null;
    const text = Buffer.concat(chunks).toString('utf8');
    const parsed: unknown = text === '' ? {} : JSON.parse(text);
    const body = isJsonObject(parsed) ? parsed : {};
    const tools = dialect ? readTools(dialect, body) : [];
    const seen: SeenRequest = {
      method: incoming.method ?? '',
      path,
      headers: incoming.headers,
      dialect,
      body,
      query: lastUserText(body),
      toolNames: typeof tools === 'string' ? [] : tools.map(({ name }) => (typeof name === 'string' ? name : JSON.stringify(name))),
    };
    requests.push(seen);
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    if (key !== undefined && presentedKey(incoming.headers) !== key) {
      send(response, 401, writeError(dialect ?? 'chat', 'authentication_error', `Incorrect API key provided: ${presentedKey(incoming.headers)}.`, 'invalid_api_key'));
      return;
    }
    if (seen.method === 'GET' && path === '/v1/models') { send(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) }); return; }
    if (embeddings && path === '/v1/embeddings' && seen.method === 'POST') { send(response, 200, embeddings(body)); return; }
    if (!dialect || seen.method !== 'POST') { send(response, 404, writeError('chat', 'invalid_request_error', `Invalid URL (${seen.method} ${path})`)); return; }
    const refusal = dialect === 'messages' && !incoming.headers['anthropic-version'] ? 'anthropic-version: header is required' : typeof tools === 'string' ? tools : refusalOf(dialect, tools);
    if (refusal !== null) { send(response, 400, writeError(dialect, 'invalid_request_error', refusal)); return; }
    react(dialect, seen, scripted.shift() ?? rule(seen), response);
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...reactions) => void scripted.push(...reactions),
    seen: async (count) => {
      if (requests.length >= count) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      await promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function react(dialect: Dialect, { body }: SeenRequest, reaction: Reaction, response: ServerResponse): void {
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const beginning = '{"id":"resp_1","object":';
  switch (reaction.does) {
    case 'answer':
      send(response, 200, writeAnswer(dialect, model, reaction));
      return;
    case 'error':
      send(response, reaction.status, writeError(dialect, reaction.type, reaction.message, reaction.code), reaction.headers);
      return;
    case 'http':
      response.writeHead(reaction.status, { 'content-type': 'application/json', ...reaction.headers }).end(reaction.body);
      return;
    case 'stall in body':
      response.writeHead(200, { 'content-type': 'application/json' }).write(beginning);
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

function send(response: ServerResponse, status: number, body: JsonObject, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function presentedKey(headers: IncomingHttpHeaders): string {
  const apiKey = headers['x-api-key'];
  return typeof apiKey === 'string' ? apiKey : (headers.authorization ?? '').replace(/^Bearer /, '');
}

function lastUserText(body: JsonObject): string {
  const list = body['messages'] ?? body['input'];
  const last = Array.isArray(list) ? list.at(-1) : null;
  return isJsonObject(last) && typeof last['content'] === 'string' ? last['content'] : '';
}
