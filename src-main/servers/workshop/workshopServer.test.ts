import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createConnector } from '../../adapters/mcp/connect.ts';
import { floodHttp, postMegabytes, requestAlone } from '../../testing/floodHttp.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import {
  createTestWorkshop,
  nodeTool,
  noSignal,
  type TestWorkshop,
} from '../../testing/workshop.ts';

afterEach(expectNoLeaks);

const echo = `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => console.log(JSON.stringify({ got: JSON.parse(text) })))`;

async function serveEcho(at: TestWorkshop): Promise<{ id: string; url: string; token: string }> {
  const { id } = await at.workshop.create(
    { content: nodeTool(echo, { outputSchema: { type: 'object' } }) },
    noSignal,
  );
  await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
  const { url, token } = await at.workshop.serve({ port: 0 }, noSignal);
  return { id, url: url ?? '', token: token ?? '' };
}
const connectTo = (url: string, token: string) =>
  createConnector()(
    {
      name: 'workshop',
      config: { transport: 'streamable-http', url, headers: { authorization: `Bearer ${token}` } },
    },
    noSignal.signal,
  );

describe('workshop over streamable HTTP', () => {
  it('lists active tools, calls them and records their executions', async () => {
    await using at = createTestWorkshop();
    const { id, url, token } = await serveEcho(at);
    const connection = await connectTo(url, token);
    const { tools } = await connection.listTools(noSignal.signal);
    expect(tools.map(({ tool }) => [tool.name, tool.outputSchema])).toEqual([
      ['echo_text', { type: 'object' }],
    ]);
    expect(await connection.callTool('echo_text', { text: 'ä' }, noSignal.signal)).toMatchObject({
      isError: false,
      structuredContent: { got: { text: 'ä' } },
    });
    expect(await connection.callTool('echo_text', { text: 7 }, noSignal.signal)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('must be string') as string }],
    });
    await expect(connection.callTool('nope', {}, noSignal.signal)).rejects.toThrow('Unknown tool');
    await at.workshop.setStatus({ id, status: 'DISABLED' }, noSignal);
    await expect(connection.callTool('echo_text', { text: 'x' }, noSignal.signal)).rejects.toThrow(
      'Unknown tool',
    );
    await connection.close();
    const { rows } = await at.workshop.executions({}, noSignal);
    expect(rows).toMatchObject([{ toolId: id, status: 'SUCCESS', callerId: 'mcp: touchstone' }]);
  });

  it('returns the exit code and the end of standard error of a failed script', async () => {
    await using at = createTestWorkshop();
    const script = `console.error('no such city: Atlantis'); process.exitCode = 4`;
    const { id } = await at.workshop.create({ content: nodeTool(script) }, noSignal);
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    const { url, token } = await at.workshop.serve({ port: 0 }, noSignal);
    const connection = await connectTo(url ?? '', token ?? '');
    expect(await connection.callTool('echo_text', { text: 'x' }, noSignal.signal)).toMatchObject({
      isError: true,
      content: [
        {
          text: 'The script exited with code 4.\n\nEnd of standard error:\nno such city: Atlantis',
        },
      ],
    });
    await connection.close();
  });

  it('returns the beginning of output over the limit with a marker', async () => {
    await using at = createTestWorkshop();
    const script = `process.stdout.write('first line\\n' + 'x'.repeat(2_000_000))`;
    const { id } = await at.workshop.create({ content: nodeTool(script) }, noSignal);
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    const { url, token } = await at.workshop.serve({ port: 0 }, noSignal);
    const connection = await connectTo(url ?? '', token ?? '');
    const { isError, content } = await connection.callTool(
      'echo_text',
      { text: 'x' },
      noSignal.signal,
    );
    const [part] = content as { text: string }[];
    expect([isError, part?.text]).toEqual([
      true,
      expect.stringMatching(
        /^It wrote more than 1024 kB .*\n\nBeginning of the output:\nfirst line\nx+\n… \[cut: more than 1024 kB were written\]$/s,
      ),
    ]);
    await connection.close();
  });

  it('T65: serves a client while a program holds 1,500 half-open connections', async () => {
    await using at = createTestWorkshop();
    const { url, token } = await serveEcho(at);
    const connection = await connectTo(url, token);
    const flood = await floodHttp(Number(new URL(url).port), 1500, async () => {
      expect(await requestAlone(url, { authorization: `Bearer ${token}` })).toBe(400);
    });
    expect((await connection.listTools(noSignal.signal)).tools).toHaveLength(1);
    flood.end();
    await connection.close();
  });

  it.each([
    ['with a length', false],
    ['in chunks', true],
  ])('T66: answers a message that is too large %s with a readable 413', async (_how, chunked) => {
    await using at = createTestWorkshop();
    const { url, token } = await serveEcho(at);
    const answer = await postMegabytes(url, 40, { authorization: `Bearer ${token}` }, chunked);
    expect([answer.status, answer.body]).toEqual([413, expect.stringContaining('4 MB')]);
  });

  it('announces every change that clients can see, and no other', async () => {
    await using at = createTestWorkshop();
    const { id, url, token } = await serveEcho(at);
    const client = new Client({ name: 'listener', version: '1' });
    let heard = Promise.withResolvers<void>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => heard.resolve());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    const { content } = await at.workshop.get({ id }, noSignal);
    const {
      createdAt: _,
      updatedAt: __,
      ...category
    } = await at.workshop.createCategory({ name: 'texts' }, noSignal);
    for (const act of [
      () =>
        at.workshop.save(
          { id, content: { ...content, description: 'Changed.' }, changelog: '', baseVersion: 1 },
          noSignal,
        ),
      () => at.workshop.setStatus({ id, status: 'DISABLED' }, noSignal),
      () => at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal),
      () => at.workshop.setCategory({ id, categoryId: category.id }, noSignal),
      () => at.workshop.updateCategory({ ...category, name: 'writing' }, noSignal),
      () => at.workshop.removeCategory({ id: category.id }, noSignal),
      () => at.workshop.remove({ id }, noSignal),
    ]) {
      heard = Promise.withResolvers<void>();
      await act();
      await heard.promise;
    }
    expect((await client.listTools()).tools).toEqual([]);
    const before = at.database.store.workshop.revision();
    await at.workshop.create({ content: nodeTool('1', { name: 'still_a_draft' }) }, noSignal);
    expect(at.database.store.workshop.revision()).toBe(before);
    await client.close();
  });

  it('announces a missed change when a client opens its stream late', async () => {
    await using at = createTestWorkshop();
    const { id, url, token } = await serveEcho(at);
    const common = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const post = (body: object, headers: Record<string, string> = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { ...common, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const begin = async (): Promise<Record<string, string>> => {
      const begun = await post({
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'late', version: '1' },
        },
      });
      await begun.text();
      const headers = {
        'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
        'mcp-protocol-version': '2025-06-18',
      };
      await (await post({ method: 'notifications/initialized' }, headers)).text();
      return headers;
    };
    const listen = async (headers: Record<string, string>) =>
      (await fetch(url, { headers: { ...common, ...headers } }))
        .body!.pipeThrough(new TextDecoderStream())
        .getReader();
    const late = await begin();
    const told = await listen(await begin());
    await at.workshop.setStatus({ id, status: 'DISABLED' }, noSignal);
    expect((await told.read()).value).toContain('notifications/tools/list_changed');
    const heard = await listen(late);
    expect((await heard.read()).value).toContain('notifications/tools/list_changed');
    // Whoever begins now has missed nothing: the first that it hears of is the next change.
    const young = await listen(await begin());
    const first = young.read();
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    expect((await first).value?.match(/list_changed/g)).toHaveLength(1);
    for (const stream of [told, heard, young]) await stream.cancel();
  });

  it('T10, T11, T12: refuses a missing token, a foreign host and a foreign origin', async () => {
    await using at = createTestWorkshop();
    const { url, token } = await serveEcho(at);
    const { port } = new URL(url);
    const ask = (headers: Record<string, string>, method = 'POST', path = '/mcp') =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
        (resolve, reject) => {
          const outgoing = request(
            {
              host: '127.0.0.1',
              port,
              path,
              method,
              headers: {
                'content-type': 'application/json',
                accept: 'application/json, text/event-stream',
                ...headers,
              },
            },
            (answer) => {
              const parts: Buffer[] = [];
              answer
                .on('data', (part: Buffer) => parts.push(part))
                .on('end', () =>
                  resolve({
                    status: answer.statusCode ?? 0,
                    headers: answer.headers,
                    text: Buffer.concat(parts).toString(),
                  }),
                );
            },
          );
          outgoing.once('error', reject);
          outgoing.end(
            method === 'POST'
              ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
              : undefined,
          );
        },
      );
    const good = { authorization: `Bearer ${token}` };
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer wrong' }, 401],
      [{ authorization: `Bearer ${token}x` }, 401],
      [{ ...good, host: `evil.test:${port}` }, 403],
      [{ ...good, host: `127.0.0.1.nip.io:${port}` }, 403],
      [{ ...good, origin: 'http://evil.test' }, 403],
      [{ ...good, origin: 'null' }, 403],
      [{ ...good, 'mcp-session-id': 'made-up' }, 404],
    ] as const) {
      const answer = await ask(headers);
      expect([headers, answer.status]).toEqual([headers, status]);
      expect(answer.text).not.toContain('echo_text');
      expect(
        Object.keys(answer.headers).filter((name) => name.startsWith('access-control')),
      ).toEqual([]);
    }
    expect((await ask(good, 'POST', '/other')).status).toBe(404);
    expect((await ask(good, 'GET')).status).toBe(400);
    expect((await ask(good, 'OPTIONS')).status).toBe(405);
    if (process.platform === 'linux') {
      // 0100007F is 127.0.0.1 as the kernel writes it.
      const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
      const listening = ['tcp', 'tcp6']
        .flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n'))
        .filter((line) => line.includes(`:${hex} `) && line.includes(' 0A '));
      expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`]);
    }
  });

  it('returns the running server on a second start and refuses clients after the end', async () => {
    await using at = createTestWorkshop();
    const first = await serveEcho(at);
    expect(await at.workshop.serve({ port: 0 }, noSignal)).toEqual({
      url: first.url,
      token: first.token,
    });
    const connection = await connectTo(first.url, first.token);
    expect(await at.workshop.stopServing(undefined, noSignal)).toEqual({ url: null, token: null });
    await connection.close();
    await expect(connectTo(first.url, first.token)).rejects.toThrow();
    const again = await at.workshop.serve({ port: 0 }, noSignal);
    expect(again.token).not.toBe(first.token);
  });

  it('reports a port that is in use', async () => {
    await using at = createTestWorkshop();
    await using other = createTestWorkshop();
    const { url } = await serveEcho(at);
    await expect(
      other.workshop.serve({ port: Number(new URL(url).port) }, noSignal),
    ).rejects.toMatchObject({
      code: 'TROUBLE',
      data: { field: 'port', cause: expect.stringContaining('EADDRINUSE') as string },
    });
  });

  it('cancels the call of a client that goes away', async () => {
    await using at = createTestWorkshop();
    const { id } = await at.workshop.create(
      { content: nodeTool('setInterval(() => {}, 1000)') },
      noSignal,
    );
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    const { url, token } = await at.workshop.serve({ port: 0 }, noSignal);
    const connection = await connectTo(url ?? '', token ?? '');
    const controller = new AbortController();
    const call = connection.callTool('echo_text', {}, controller.signal).catch(() => null);
    let started;
    while (started === undefined) {
      await setImmediate();
      [started] = (
        await at.workshop.executions({ filter: { status: ['RUNNING'] } }, noSignal)
      ).rows;
    }
    controller.abort();
    await call;
    expect(await at.workshop.wait({ id: started.id }, noSignal)).toMatchObject({
      status: 'CANCELLED',
    });
    await connection.close();
  });
});
