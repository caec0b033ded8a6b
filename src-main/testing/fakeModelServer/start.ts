import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { writeError } from './answer.ts';
import { lastUserText, refuseUnanswered, resultsOf } from './conversation.ts';
import { cacheRefusal, FakePromptCache } from './promptCache.ts';
import { react, send, type Reaction, type SeenRequest } from './react.ts';
import { countRefusal, readTools, refusalOf, type Dialect } from './toolRules.ts';

export interface FakeModelServer extends AsyncDisposable {
  /** http://127.0.0.1:port, without a path. */
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Each reaction is used once, in order; after that the rule answers again. */
  script(...reactions: Reaction[]): void;
  /** Resolves when this many requests have arrived. */
  seen(count: number): Promise<void>;
}

export interface FakeModelServerOptions {
  /** Refuses every other key. */
  key?: string;
  models?: string[];
  /** A promise holds the answer back until it is kept. */
  rule?: (request: SeenRequest) => Reaction | Promise<Reaction>;
  /**
   * How a request to count tokens is answered: by default a quarter of the characters. Null if the
   * server has no such call.
   */
  counted?: ((request: SeenRequest) => number | Reaction) | null;
  /**
   * Keeps prompts of at least so many tokens, and reports what it read and wrote. Without it, the
   * server has no prompt cache.
   */
  cacheFrom?: number;
  /** Answers requests for embeddings; without it the server has none. */
  embeddings?: (body: JsonObject) => JsonObject;
}

/** The paths for counting tokens. */
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
 * Calls the tool whose wire name, or the part of it after `__`, occurs in the query; without one it
 * answers with text.
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
  cacheFrom,
  embeddings,
}: FakeModelServerOptions = {}): Promise<FakeModelServer> {
  const promptCache = cacheFrom === undefined ? null : new FakePromptCache(cacheFrom);
  const requests: SeenRequest[] = [];
  const scripted: Reaction[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer((incoming, response) => {
    void take(incoming, response).catch(() => response.destroy());
  });
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { pathname: path, search } = new URL(incoming.url ?? '/', 'http://fake');
    const dialect = dialects[path] ?? (counted === null ? null : (countPaths[path] ?? null));
    const text = Buffer.concat(chunks).toString('utf8');
    const parsed: unknown = text === '' ? {} : JSON.parse(text);
    const body = isJsonObject(parsed) ? parsed : {};
    const tools = dialect ? readTools(dialect, body) : [];
    const seen: SeenRequest = {
      method: incoming.method ?? '',
      path,
      search,
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
            refuseUnanswered(body) ??
            cacheRefusal(dialect, body) ??
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
    const reaction = scripted.shift() ?? (await rule(seen));
    const usage =
      promptCache !== null && reaction.does === 'answer' && reaction.usage === undefined
        ? { usage: { ...promptCache.usageOf(dialect, body), output: 17 } }
        : {};
    react(dialect, seen, { ...reaction, ...usage }, response);
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

function presentedKey(headers: IncomingHttpHeaders): string {
  const apiKey = headers['x-api-key'];
  return typeof apiKey === 'string'
    ? apiKey
    : (headers.authorization ?? '').replace(/^Bearer /, '');
}
