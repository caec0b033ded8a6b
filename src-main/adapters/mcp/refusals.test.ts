import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { never, troubleFrom, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createConnector, type ConnectorOptions } from './connect.ts';

afterEach(expectNoLeaks);

interface Request {
  message: JsonObject;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Serves one answer to every request that isn't handled otherwise, on a free port. */
async function serve(answer: (request: Request) => void) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const message = (body === '' ? {} : JSON.parse(body)) as JsonObject;
      answer({ message, request, response });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Kind = 'streamable-http' | 'sse';

async function troubleAt(
  url: string,
  transport: Kind = 'streamable-http',
  options: ConnectorOptions = {},
) {
  const config = { transport, url, headers: {} };
  return troubleFrom(withConnection(config, (each) => each.listTools(never), options));
}

const initialized = (message: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: message['id'] ?? null,
  result: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  },
});
const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify(value));

const rpc = (message: string): JsonObject => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message },
});

async function expectConnection(url: string): Promise<void> {
  const config = { transport: 'streamable-http' as const, url, headers: {} };
  expect(
    await withConnection(config, ({ protocolVersion }) => Promise.resolve(protocolVersion)),
  ).toBe('2025-11-25');
}

describe('what a server says when it refuses', () => {
  // Texts as the named programs and specifications write them.
  test.each<[string, number, Record<string, string>, string, string, RegExp]>([
    // The TypeScript SDK.
    [
      'JSON-RPC',
      400,
      {},
      JSON.stringify(rpc('Bad Request: Unsupported protocol version')),
      'HTTP 400: Bad Request: Unsupported protocol version (error -32000)',
      /Fix what the server names/,
    ],
    [
      'a refused host',
      403,
      {},
      JSON.stringify(rpc('Invalid Host header: db')),
      'HTTP 403: Invalid Host header: db (error -32000)',
      /hosts?.*that the server allows/,
    ],
    // The Python SDK.
    [
      'a refused host in plain text',
      421,
      {},
      'Invalid Host header',
      'HTTP 421: Invalid Host header.',
      /allows/,
    ],
    [
      'JSON-RPC',
      404,
      {},
      JSON.stringify(rpc('Unknown tenant')),
      'HTTP 404: Unknown tenant',
      /Fix what/,
    ],
    [
      'JSON-RPC',
      405,
      {},
      JSON.stringify(rpc('Method not allowed.')),
      'HTTP 405: Method not allowed.',
      /Fix what/,
    ],
    // RFC 6750, section 3.
    [
      'a challenge',
      401,
      {
        'www-authenticate':
          'Bearer error="invalid_token", error_description="The access token expired"',
      },
      '',
      'HTTP 401: invalid_token: The access token expired.',
      /Sign in on the server's page/,
    ],
    [
      'a missing scope',
      403,
      { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:read"' },
      '{"error":"insufficient_scope"}',
      'HTTP 403: insufficient_scope.',
      /Use credentials with the scope files:read\./,
    ],
    // RFC 6749, section 5.2.
    [
      'an error of OAuth',
      401,
      {},
      '{"error":"invalid_client","error_description":"Client authentication failed"}',
      'HTTP 401: invalid_client: Client authentication failed.',
      /Sign in/,
    ],
    [
      'a bare refusal',
      401,
      { 'www-authenticate': 'Bearer' },
      '',
      'HTTP 401 and no reason.',
      /Sign in/,
    ],
    [
      'a member of JSON',
      401,
      {},
      '{"error":"Invalid API key"}',
      'HTTP 401: Invalid API key.',
      /Sign in/,
    ],
    // RFC 9457.
    [
      'problem details',
      403,
      { 'content-type': 'application/problem+json' },
      '{"type":"about:blank","title":"Forbidden","status":403,"detail":"Your plan has no MCP access."}',
      'HTTP 403: Forbidden: Your plan has no MCP access.',
      /Fix what the server names/,
    ],
    // FastAPI.
    [
      'a list of details',
      422,
      {},
      '{"detail":[{"loc":["header","x-tenant"],"msg":"field required","type":"missing"}]}',
      'HTTP 422: field required.',
      /Fix what the server names/,
    ],
    [
      'a nested error',
      403,
      {},
      '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"API has not been used"}}',
      'HTTP 403: API has not been used.',
      /Fix what/,
    ],
    [
      'plain text',
      404,
      { 'content-type': 'text/plain' },
      '404 page not found',
      'HTTP 404: 404 page not found.',
      /Check the path/,
    ],
    [
      'a page',
      502,
      { 'content-type': 'text/html' },
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>',
      'HTTP 502: 502 Bad Gateway.',
      /Check the server's log/,
    ],
    [
      'a heading',
      503,
      { 'content-type': 'text/html' },
      '<h1>Down for <b>maintenance</b> &amp; back soon</h1>',
      'HTTP 503: Down for maintenance & back soon.',
      /Check the server's log/,
    ],
    [
      'a wait',
      429,
      { 'retry-after': '30' },
      'Slow down',
      'HTTP 429: Slow down.',
      /Try again in 30 s\./,
    ],
    ['nothing', 405, {}, '', 'HTTP 405 and no reason.', /Check the path and the transport/],
    ['nothing', 400, {}, '', 'HTTP 400 and no reason.', /Check the path and the transport/],
    ['nothing', 403, {}, '', 'HTTP 403 and no reason.', /permissions/],
  ])('quotes %s (HTTP %d)', async (_what, status, headers, body, sentence, step) => {
    await using server = await serve(
      ({ response }) => void response.writeHead(status, headers).end(body),
    );
    for (const kind of ['streamable-http', 'sse'] as const) {
      const { data } = await troubleAt(`${server.origin}/mcp`, kind);
      expect(data.cause).toContain(`the server at ${server.host} answered with ${sentence}`);
      expect(data.nextStep).toMatch(step);
    }
  });

  test('quotes it for a listing, without hiding a lost session', async () => {
    const refusing = (status: number) =>
      serve(({ message, response }) => {
        if (message['method'] === 'initialize') json(response, initialized(message));
        else if (message['method'] === 'tools/list')
          json(response, { error: 'quota spent' }, status);
        else response.writeHead(202).end();
      });
    await using limited = await refusing(403);
    expect((await troubleAt(limited.origin)).data.cause).toMatch(
      /^tools\/list: the server at \S+ answered with HTTP 403: quota spent\./,
    );
    await using lost = await refusing(404);
    expect((await troubleAt(lost.origin)).data.cause).toContain('no longer knows this session');
  });

  test('reads an error of the protocol to the request itself, whatever its status', async () => {
    await using server = await serve(({ message, response }) => {
      if (message['method'] === 'initialize') json(response, initialized(message));
      else if (message['method'] === 'tools/list')
        json(
          response,
          { jsonrpc: '2.0', id: message['id'], error: { code: -32602, message: 'No such cursor' } },
          400,
        );
      else response.writeHead(202).end();
    });
    expect((await troubleAt(server.origin)).data.cause).toContain(
      'tools/list: the server answered with error -32602: No such cursor',
    );
  });

  test('bounds and masks what it quotes, and waits for no body without an end', async () => {
    await using server = await serve(({ response }) => {
      response.writeHead(403, { 'content-type': 'text/plain' });
      response.write(`The key s3cret-value-1 is unknown. ${'x'.repeat(2_000)}`);
    });
    const connect = createConnector();
    const config = { transport: 'streamable-http' as const, url: server.origin, headers: {} };
    const redact = (text: string) => text.replaceAll('s3cret-value-1', '[redacted]');
    const { data } = await troubleFrom(connect({ name: 'x', config, redact }, never));
    expect(data.cause).toContain('HTTP 403: The key [redacted] is unknown. xxx');
    expect(data.cause.length).toBeLessThan(500);
  });

  test('keeps the first reason if the older transport fails too', async () => {
    await using server = await serve(({ request, response }) => {
      // A stream that never names an address for messages.
      if (request.method === 'GET')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      else response.writeHead(400, { 'content-type': 'text/plain' }).end('X-Tenant is missing');
    });
    const { data } = await troubleAt(server.origin, 'streamable-http', { probeMs: 100 });
    expect(data.cause).toMatch(
      /answered with HTTP 400: X-Tenant is missing\. The older transport \(SSE\) failed too: no answer/,
    );
    expect(data.nextStep).toContain('Fix what the server names');
  });

  test.each([
    ['text/html', '<!doctype html><title>Sign in</title>', 'text/html: Sign in', /web page/],
    ['text/plain', 'It works', 'text/plain: It works', /address and its path/],
  ])('names the answer that is %s', async (type, body, sentence, step) => {
    await using server = await serve(
      ({ response }) => void response.writeHead(200, { 'content-type': type }).end(body),
    );
    for (const kind of ['streamable-http', 'sse'] as const) {
      const { data } = await troubleAt(server.origin, kind);
      expect(data.cause).toContain(`the answer isn't an MCP message but ${sentence}`);
      expect(data.nextStep).toMatch(step);
    }
  });
});

describe('redirects', () => {
  const redirecting = (status: number, to: (origin: string) => string) => {
    const seen: string[] = [];
    const started = serve(({ message, request, response }) => {
      seen.push(`${request.method} ${request.url}`);
      const origin = `http://${request.headers.host}`;
      if (!request.url?.endsWith('/there/'))
        response.writeHead(status, { location: to(origin) }).end();
      else if (message['method'] === 'initialize') json(response, initialized(message));
      else response.writeHead(message['id'] === undefined ? 202 : 404).end();
    });
    return { seen, started };
  };

  test.each([307, 308])('follows HTTP %d within the origin with the message', async (status) => {
    await using server = await redirecting(status, () => '/there/').started;
    await expectConnection(`${server.origin}/mcp`);
  });

  test.each([
    ...['javascript:alert(1)', 'data:text/html,hi', 'file:///etc/passwd', 'mailto:me@example.test'],
    'http://[',
  ])('says that no server can be at %s', async (location) => {
    await using server = await redirecting(307, () => location).started;
    const { data } = await troubleAt(`${server.origin}/mcp`);
    const scheme = /^(?!http)\w+:/.exec(location);
    const said = scheme ? `address that starts with ${scheme[0]}` : 'invalid address';
    expect(data.cause).toContain(`to an ${said} (HTTP 307), where no server can be`);
  });

  test.each([301, 302, 303])('names the target of HTTP %d with its path', async (status) => {
    const { seen, started } = redirecting(status, () => '/there/?token=t0ken');
    await using server = await started;
    const { data } = await troubleAt(`${server.origin}/mcp`);
    expect(data.cause).toContain(
      `the server redirects to ${server.origin}/there/ (HTTP ${status}). The redirect was not followed, because`,
    );
    expect(JSON.stringify(data)).not.toContain('t0ken');
    expect(seen.every((line) => line === 'POST /mcp')).toBe(true);
  });

  test.each([301, 302, 307, 308])('refuses HTTP %d to another origin', async (status) => {
    await using elsewhere = await serve(({ response }) => void response.writeHead(500).end());
    const to = `${elsewhere.origin}/there/?token=t0ken`;
    await using server = await redirecting(status, () => to).started;
    for (const kind of ['streamable-http', 'sse'] as const) {
      const { data } = await troubleAt(`${server.origin}/mcp`, kind);
      expect(data.cause).toContain(
        `the server redirects to ${elsewhere.origin}/there/, another origin (HTTP ${status}).`,
      );
    }
  });

  test('stops a circle of redirects and names the last target', async () => {
    await using server = await redirecting(307, () => '/again').started;
    const { data } = await troubleAt(`${server.origin}/mcp`);
    expect(data.cause).toContain(`redirected 5 times, last to ${server.origin}/again (HTTP 307).`);
  });

  test('names the path of the server that refuses after a redirect', async () => {
    await using server = await serve(({ request, response }) =>
      request.url === '/mcp'
        ? void response.writeHead(307, { location: '/inner' }).end()
        : void response.writeHead(403).end('no'),
    );
    expect((await troubleAt(`${server.origin}/mcp`)).data.cause).toContain(
      `the server at ${server.host}/inner answered with HTTP 403: no.`,
    );
  });
});

describe('an answer without a message', () => {
  const events = { 'content-type': 'text/event-stream' };
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      'a stream that ends',
      (response) => response.writeHead(200, events).end(),
      /ended its stream of events without an answer/,
    ],
    [
      'a stream of comments',
      (response) => response.writeHead(200, events).end(': ping\n\n'),
      /ended its stream/,
    ],
    [
      'a stream with an id only',
      (response) => response.writeHead(200, events).end('id: 1\ndata:\n\n'),
      /ended its stream/,
    ],
    [
      'a stream with another answer',
      (response) =>
        response.writeHead(200, events).end('data: {"jsonrpc":"2.0","id":5,"result":{}}\n\n'),
      /ended its stream/,
    ],
    ['HTTP 202', (response) => response.writeHead(202).end(), /without a message for it/],
    [
      'an answer to another request',
      (response) => json(response, { jsonrpc: '2.0', id: 5, result: {} }),
      /without a message for it/,
    ],
    ['an empty list', (response) => json(response, []), /without a message for it/],
    [
      'an empty body',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
      /not valid JSON-RPC/,
    ],
    [
      'a result without its frame',
      (response) => json(response, { tools: [] }),
      /not valid JSON-RPC: \{"tools":\[\]\}/,
    ],
    [
      'an event that is no message',
      (response) => response.writeHead(200, events).end('data: {"tools":[]}\n\n'),
      /not valid JSON-RPC: \{"tools":\[\]\}/,
    ],
  ])('fails at once: %s', async (_what, answer, cause) => {
    for (const failing of ['initialize', 'tools/list']) {
      await using server = await serve(({ message, response }) => {
        if (message['method'] === failing) answer(response);
        else if (message['method'] === 'initialize') json(response, initialized(message));
        else response.writeHead(message['id'] === undefined ? 202 : 404).end();
      });
      // No clock runs out: with a limit of an hour, only the answer itself can end the wait.
      const hour = 3_600_000;
      const { data } = await troubleAt(server.origin, 'streamable-http', {
        deadlines: { connectMs: hour, listMs: hour },
      });
      expect(data.cause).toMatch(cause);
      expect(data.cause).not.toMatch(/invalid_type|unrecognized_keys|ZodError/);
    }
  });

  test('fails at once if the stream of the older transport ends', async () => {
    await using server = await serve(({ request, response }) => {
      if (request.method === 'GET') response.writeHead(200, events).end();
      else response.writeHead(405).end();
    });
    const hour = 3_600_000;
    const { data } = await troubleAt(server.origin, 'sse', { deadlines: { connectMs: hour } });
    expect(data.cause).toMatch(/connect|initialize/);
  });

  test.each([
    [
      'a number as text',
      (message: JsonObject) => ({ ...initialized(message), id: `${message['id'] as number}` }),
    ],
    ['error null', (message: JsonObject) => ({ ...initialized(message), error: null })],
    ['a batch of one', (message: JsonObject) => [initialized(message)]],
  ])('reads an answer with %s', async (_what, answer) => {
    await using server = await serve(({ message, response }) => {
      if (message['method'] === 'initialize') json(response, answer(message));
      else response.writeHead(message['id'] === undefined ? 202 : 404).end();
    });
    await expectConnection(server.origin);
  });

  test.each([
    ['bytes one by one', (text: string) => `event: message\ndata: ${text}\n\n`.split('')],
    ['CR only', (text: string) => [`event: message\rdata: ${text}\r\r`]],
    ['CRLF', (text: string) => [`event: message\r\ndata: ${text}\r\n\r\n`]],
    ['a byte order mark', (text: string) => [`\uFEFFdata: ${text}\n\n`]],
    ['no blank line at its end', (text: string) => [`data: ${text}`]],
    ['a name of its own', (text: string) => [`event: response\ndata: ${text}\n\n`]],
    ['several data lines', (text: string) => [`data: ${text.replace(',', ',\ndata: ')}\n\n`]],
    [
      'a large event before it',
      (text: string) => [
        `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"`,
        ...Array.from({ length: 40 }, () => 'y'.repeat(65_536)),
        `"}}\n\ndata: ${text}\n\n`,
      ],
    ],
  ])('reads a stream with %s', async (_what, parts) => {
    await using server = await serve(({ message, response }) => {
      if (message['method'] !== 'initialize')
        return void response.writeHead(message['id'] === undefined ? 202 : 404).end();
      response.writeHead(200, events);
      for (const part of parts(JSON.stringify(initialized(message)))) response.write(part);
      response.end();
    });
    await expectConnection(server.origin);
  });
});
