import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { writeAnswer, writeError, type FakeAnswer } from './answer.ts';
import { countRefusal, readTools, refusalOf, type Dialect } from './toolRules.ts';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  dialect: Dialect | null;
  body: JsonObject;
  query: string;
  toolNames: string[];
  /** The results that calls of earlier turns were answered with, in order. */
  results: { id: string; text: string; isError: boolean }[];
}

/** What the server does with one request that it would take. */
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
  /**
   * What a request to count is answered with; null: the server has no such call. Left out: a
   * quarter of the characters.
   */
  counted?: ((request: SeenRequest) => number | Reaction) | null;
  /** Answers requests for embeddings; left out: the server has none. */
  embeddings?: (body: JsonObject) => JsonObject;
}

/** Where requests are counted, not answered. */
const countPaths: Readonly<Record<string, Dialect>> = {
  '/v1/responses/input_tokens': 'responses',
  '/v1/messages/count_tokens': 'messages',
};
const dialects: Readonly<Record<string, Dialect>> = {
  '/v1/responses': 'responses',
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'messages',
};

/**
 * Calls the tool whose wire name, or its part behind `__`, stands in the query; answers in words
 * where none does.
 */
export function callWhatIsNamed(request: SeenRequest): Reaction {
  const named =
    request.toolNames.find((name) => request.query.includes(name)) ??
    request.toolNames.find((name) => request.query.includes(name.slice(name.indexOf('__') + 2)));
  return named === undefined
    ? { does: 'answer', text: 'I can answer that without a tool.' }
    : { does: 'answer', calls: [{ name: named, arguments: {} }] };
}

const quarterOfCharacters = ({ body }: SeenRequest): number =>
  Math.ceil(JSON.stringify(body).length / 4);

/**
 * A server that speaks the wire formats of the providers over HTTP and refuses what they refuse.
 */
export async function startFakeModelServer({
  key,
  models = ['fake-model'],
  rule = callWhatIsNamed,
  counted = quarterOfCharacters,
  embeddings,
}: FakeModelServerOptions = {}): Promise<FakeModelServer> {
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
    const dialect = dialects[path] ?? (counted === null ? null : (countPaths[path] ?? null));
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
      results: resultsOf(body),
      toolNames:
        typeof tools === 'string'
          ? []
          : tools
              .filter(({ search }) => search !== true)
              .map(({ name }) => (typeof name === 'string' ? name : JSON.stringify(name))),
    };
    requests.push(seen);
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    if (key !== undefined && presentedKey(incoming.headers) !== key) {
      send(
        response,
        401,
        writeError(
          dialect ?? 'chat',
          'authentication_error',
          `Incorrect API key provided: ${presentedKey(incoming.headers)}.`,
          'invalid_api_key',
        ),
      );
      return;
    }
    if (seen.method === 'GET' && path === '/v1/models') {
      send(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
      return;
    }
    if (embeddings && path === '/v1/embeddings' && seen.method === 'POST') {
      const next = scripted.shift();
      if (next) react('chat', seen, next, response);
      else send(response, 200, embeddings(body));
      return;
    }
    if (!dialect || seen.method !== 'POST') {
      send(
        response,
        404,
        writeError('chat', 'invalid_request_error', `Invalid URL (${seen.method} ${path})`),
      );
      return;
    }
    const refusal =
      dialect === 'messages' && !incoming.headers['anthropic-version']
        ? 'anthropic-version: header is required'
        : typeof tools === 'string'
          ? tools
          : (refusalOf(dialect, tools) ??
            unanswered(body) ??
            (path in countPaths ? countRefusal(dialect, body) : null));
    if (refusal !== null) {
      send(response, 400, writeError(dialect, 'invalid_request_error', refusal));
      return;
    }
    if (path in countPaths && counted) {
      const given = counted(seen);
      if (typeof given !== 'number') react(dialect, seen, given, response);
      else
        send(response, 200, {
          ...(dialect === 'responses' && { object: 'response.input_tokens' }),
          input_tokens: given,
        });
      return;
    }
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

function react(
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

function send(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}

function presentedKey(headers: IncomingHttpHeaders): string {
  const apiKey = headers['x-api-key'];
  return typeof apiKey === 'string'
    ? apiKey
    : (headers.authorization ?? '').replace(/^Bearer /, '');
}

/** The last thing that the user said in words. */
function lastUserText(body: JsonObject): string {
  const list = body['messages'] ?? body['input'];
  const said = (Array.isArray(list) ? list : [])
    .filter(
      (each) =>
        isJsonObject(each) && each['role'] === 'user' && typeof each['content'] === 'string',
    )
    .at(-1);
  return isJsonObject(said) && typeof said['content'] === 'string' ? said['content'] : '';
}

function resultsOf(body: JsonObject): SeenRequest['results'] {
  const list = body['messages'] ?? body['input'];
  const found: SeenRequest['results'] = [];
  const add = (id: JsonValue | undefined, text: JsonValue | undefined, isError = false) => {
    if (typeof id === 'string' && typeof text === 'string') found.push({ id, text, isError });
  };
  for (const each of Array.isArray(list) ? list.filter(isJsonObject) : []) {
    if (each['type'] === 'function_call_output') add(each['call_id'], each['output']);
    else if (each['role'] === 'tool') add(each['tool_call_id'], each['content']);
    else if (Array.isArray(each['content']))
      for (const block of each['content'].filter(isJsonObject))
        if (block['type'] === 'tool_result')
          add(block['tool_use_id'], block['content'], block['is_error'] === true);
  }
  return found;
}

/** Both kinds of providers want every call answered, at once and each once. */
function unanswered(body: JsonObject): string | null {
  const list = body['messages'] ?? body['input'];
  const asked: string[] = [];
  for (const each of Array.isArray(list) ? list.filter(isJsonObject) : []) {
    if (each['type'] === 'function_call' && typeof each['call_id'] === 'string')
      asked.push(each['call_id']);
    if (Array.isArray(each['tool_calls']))
      asked.push(
        ...each['tool_calls']
          .filter(isJsonObject)
          .map((call) => (typeof call['id'] === 'string' ? call['id'] : '')),
      );
    if (Array.isArray(each['content']))
      for (const block of each['content'].filter(isJsonObject))
        if (block['type'] === 'tool_use' && typeof block['id'] === 'string')
          asked.push(block['id']);
  }
  const answered = resultsOf(body).map(({ id }) => id);
  const missing = asked.find((id) => !answered.includes(id));
  return missing === undefined
    ? null
    : `An assistant message with 'tool_calls' must be followed by tool messages responding to ` +
        `each 'tool_call_id'. The following tool_call_ids did not have response messages: ` +
        missing;
}
