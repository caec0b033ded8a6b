import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpConfig, type HttpToolConfig } from '../../../../src-shared/domain/executors.ts';
import { refusalOfUrl, type PrivatePolicy } from '../../../adapters/http/addressPolicy.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ExecutionResult } from './executor.ts';
import { runWithoutWindow } from '../../../runtime/window.ts';
import { buildRequest, runHttp } from './http.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: Server;
let base: string;
let other: Server;
let otherBase: string;
const seen: Seen[] = [];
const answers: Record<string, (response: ServerResponse) => void> = {
  '/metadata': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/decimal': (response) => response.writeHead(302, { location: 'http://2852039166/' }).end(),
  '/elsewhere': (response) => response.writeHead(302, { location: `${otherBase}/here` }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/named': (response) =>
    response.writeHead(302, { location: 'http://Canary-Host.example.test/' }).end(),
  '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
  '/near': (response) => response.writeHead(303, { location: '/here' }).end(),
  '/broken': (response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('it broke'),
  '/words': (response) => response.end('no json'),
  '/empty': (response) => response.writeHead(204).end(),
  '/packed': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
  '/endless': (response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 120)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  '/silent': () => undefined,
};

beforeAll(async () => {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        seen.push({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
        });
        const answer = answers[(request.url ?? '').split('?', 1)[0] ?? ''];
        if (answer === undefined)
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ url: request.url }));
        else answer(response);
      });
  };
  [server, other] = [createServer(handle), createServer(handle)];
  for (const each of [server, other]) {
    each.listen(0, '127.0.0.1');
    await once(each, 'listening');
  }
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  otherBase = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const each of [server, other]) {
    each.closeAllConnections();
    each.close();
    await once(each, 'close');
  }
});

const noSignal = new AbortController().signal;
const run = async (
  config: Partial<HttpToolConfig> & { url: string },
  args: JsonObject = {},
  more: { signal?: AbortSignal; limitMs?: number; secrets?: Record<string, string> } = {},
): Promise<ExecutionResult> => {
  seen.splice(0);
  const call = {
    arguments: args,
    secrets: new Map(Object.entries(more.secrets ?? {})),
    redact: (text: string) => text.replaceAll('canary-host', '[redacted]'),
    limitMs: more.limitMs ?? 20_000,
    memoryBytes: null,
    allowedHosts: [],
  };
  return runHttp(
    httpConfig.parse({ private: 'loopback', ...config }),
    call,
    more.signal ?? noSignal,
    () => undefined,
  );
};

describe('requests', () => {
  it('T59: keeps a parameter within its part of the address', async () => {
    for (const id of [
      'a/b',
      '../admin',
      'x?y=1',
      'x#y',
      'a b',
      'ä',
      '%2e%2e',
      '@evil.test',
      'a&b=c',
      '\n',
      '\u0000',
    ]) {
      expect(
        await run({ url: `${base}/users/{{id}}/end`, query: { q: '{{id}}' } }, { id }),
      ).toMatchObject({ status: 'SUCCESS' });
      const url = new URL(seen[0]?.url ?? '', base);
      expect([
        url.pathname.split('/').length,
        decodeURIComponent(url.pathname.split('/')[2] ?? ''),
      ]).toEqual([4, id]);
      expect([...url.searchParams]).toEqual([['q', id]]);
    }
    for (const id of ['.', '..'])
      expect(await run({ url: `${base}/users/{{id}}` }, { id })).toMatchObject({
        status: 'FAILED',
        error: { code: 'template' },
      });
    expect(seen).toEqual([]);
  });

  it('keeps types in a JSON body, leaves out missing parameters and encodes forms', async () => {
    const body = {
      n: '{{n}}',
      flag: '{{flag}}',
      text: 'about {{n}}',
      gone: '{{gone}}',
      list: ['{{n}}', '{{gone}}'],
    };
    await run({ url: `${base}/x`, method: 'POST', body }, { n: 3, flag: false });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      n: 3,
      flag: false,
      text: 'about 3',
      list: [3],
    });
    expect(seen[0]?.headers['content-type']).toBe('application/json');
    await run(
      { url: `${base}/x`, method: 'POST', body: { a: '{{a}}', b: '{{b}}' }, encoding: 'form' },
      { a: 'x&y=1', b: ['p', 'q'] },
    );
    expect([...new URLSearchParams(seen[0]?.body)]).toEqual([
      ['a', 'x&y=1'],
      ['b', 'p'],
      ['b', 'q'],
    ]);
    expect(await run({ url: `${base}/x`, method: 'POST', body: 'about {{n}}' })).toMatchObject({
      error: { code: 'template', message: expect.stringContaining('"n"') as string },
    });
    await run({ url: `${base}/x`, query: { a: '{{a}}', b: '{{b}}' } }, { b: 1 });
    expect(seen[0]?.url).toBe('/x?b=1');
  });

  it('T59: refuses line breaks in a header and does not expand secrets in a parameter', async () => {
    for (const value of ['a\r\nx-evil: 1', 'a\nb', 'a\0b'])
      expect(
        await run({ url: `${base}/x`, headers: { 'x-own': '{{v}}' } }, { v: value }),
      ).toMatchObject({ error: { code: 'template' } });
    expect(seen).toEqual([]);
    await run(
      { url: `${base}/x`, headers: { authorization: 'Bearer ${secret:api}', 'x-own': '{{v}}' } },
      { v: '${secret:api}' },
      { secrets: { api: 'the-secret' } },
    );
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer the-secret',
      'x-own': '${secret:api}',
    });
  });

  it('sends no body with GET', () => {
    const config = httpConfig.parse({ url: 'https://example.test/', body: { a: 1 } });
    expect(
      buildRequest(config, { arguments: {}, secrets: new Map(), allowedHosts: [] }),
    ).toMatchObject({
      method: 'GET',
      body: null,
    });
  });
});

describe('T59: address policy', () => {
  it.each([
    ['this computer', (): string => `${base}/x`, 'refuse'],
    ['this computer by name', (): string => base.replace('127.0.0.1', 'localhost'), 'refuse'],
    [
      'this computer as one number',
      (): string => base.replace('127.0.0.1', '2130706433'),
      'refuse',
    ],
    [
      'this computer as IPv6',
      (): string => base.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      'refuse',
    ],
    ['the cloud metadata address', (): string => 'http://169.254.169.254/latest', 'allow'],
    ['the cloud metadata address as one number', (): string => 'http://2852039166/latest', 'allow'],
    [
      'the cloud metadata address as IPv6',
      (): string => 'http://[::ffff:169.254.169.254]/latest',
      'allow',
    ],
    ['a private network', (): string => 'http://10.0.0.1/', 'loopback'],
  ] as const)('refuses %s', async (_what, url, policy) => {
    expect(await run({ url: url(), private: policy })).toMatchObject({
      status: 'FAILED',
      error: { code: 'policy' },
    });
    expect(seen).toEqual([]);
  });

  /** Asks the rules alone, so that a fault in them calls no address. */
  const refusalAt = (url: string, policy: PrivatePolicy) => {
    const config = httpConfig.parse({ url, private: policy });
    const request = buildRequest(config, { arguments: {}, secrets: new Map(), allowedHosts: [] });
    return refusalOfUrl(request.url, request.addresses);
  };

  it('names no setting of the tool that would allow a link-local address, nor Settings without a window', async () => {
    const refusal = () => refusalAt('http://169.254.169.254/latest', 'refuse');
    const cause = '169.254.169.254 is a link-local or reserved address, which is not allowed. ';
    expect(refusal()).toBe(`${cause}If you trust its host, add it under Settings, Allowed hosts.`);
    expect(await runWithoutWindow(async () => refusal())).toBe(
      `${cause}Check the address of the tool.`,
    );
  });

  it.each([
    ['http://127.0.0.1/', 'refuse', 'loopback'],
    ['http://10.0.0.1/', 'loopback', 'allow'],
  ] as const)('says which setting allows %s', (url, policy, remedy) => {
    expect(refusalAt(url, policy)).toContain(
      `which is not allowed. To allow it, set private to ${remedy} in the tool's executor ` +
        'settings (in its file, executor_config.private).',
    );
  });

  it('says which setting allows this computer by name', async () => {
    const url = base.replace('127.0.0.1', 'localhost');
    const { error } = await run({ url, private: 'refuse' });
    expect(error?.message).toContain('To allow it, set private to loopback');
  });

  it.each([
    ['/metadata', 'follow', /link-local/],
    ['/decimal', 'follow', /link-local/],
    ['/file', 'follow', /isn't HTTP/],
    ['/file', 'refuse', /isn't HTTP/],
    ['/elsewhere', 'same-origin', /another origin/],
    ['/near', 'refuse', /doesn't follow redirects/],
    ['/round', 'follow', /more than 5 times/],
  ] as const)('refuses the redirect at %s (%s)', async (path, redirects, reason) => {
    const done = await run({ url: `${base}${path}`, redirects });
    expect(done).toMatchObject({ status: 'FAILED', error: { code: 'policy' } });
    expect(done.error?.message).toMatch(reason);
  });

  it('T60: asks for no host whose name holds a secret, and does not show it', async () => {
    expect(await run({ url: `${base}/named`, redirects: 'follow' })).toMatchObject({
      error: {
        code: 'policy',
        message:
          'It was redirected to http://[redacted].example.test/, a host whose name contains a secret.',
      },
    });
  });

  it('follows an allowed redirect and sends no custom headers to another origin', async () => {
    const headers = { authorization: 'Bearer x', 'x-key': 'y' };
    expect(await run({ url: `${base}/near`, headers })).toMatchObject({
      status: 'SUCCESS',
      output: { url: '/here' },
    });
    expect(seen.map((one) => one.headers['x-key'])).toEqual(['y', 'y']);
    expect(await run({ url: `${base}/elsewhere`, headers, redirects: 'follow' })).toMatchObject({
      status: 'SUCCESS',
    });
    expect([seen[1]?.headers.authorization, seen[1]?.headers['x-key']]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('responses', () => {
  it('T59: stops reading an endless response at the limit', async () => {
    const memory = process.memoryUsage().rss;
    const done = await run({ url: `${base}/endless` });
    expect(done).toMatchObject({ status: 'FAILED', error: { code: 'too_much_output' } });
    expect(done.excerpt).toContain('[cut');
    expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 * 1024);
  });

  it.each([
    ['/packed', { code: 'policy', message: expect.stringContaining('compressed') as string }],
    ['/broken', { code: 'status', message: 'The server answered with status 500.' }],
    ['/words', { code: 'not_json' }],
  ] as const)('rejects the response at %s', async (path, error) => {
    expect(await run({ url: `${base}${path}` })).toMatchObject({ status: 'FAILED', error });
  });

  it('accepts text and an empty response where they are expected', async () => {
    expect(await run({ url: `${base}/words`, output: 'text' })).toMatchObject({
      status: 'SUCCESS',
      output: 'no json',
    });
    expect(await run({ url: `${base}/empty` })).toMatchObject({ status: 'SUCCESS', output: null });
  });

  it('distinguishes a silent server, an aborted call and a refused connection', async () => {
    expect(await run({ url: `${base}/silent` }, {}, { limitMs: 100 })).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'timeout' },
    });
    const controller = new AbortController();
    const given = run({ url: `${base}/silent` }, {}, { signal: controller.signal });
    controller.abort();
    expect(await given).toMatchObject({ status: 'CANCELLED' });
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    expect(await run({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'network',
        message: expect.stringContaining('nothing is listening') as string,
      },
    });
  });
});
