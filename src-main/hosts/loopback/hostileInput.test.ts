import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { procedureNames } from '../../rpc/router.ts';
import { hostileCalls, hostileInputs, unknownPaths } from '../../testing/contractSuiteHostile.ts';
import { openTestHost, type TestHost } from '../../testing/loopbackHost.ts';
import { pageHeaders } from '../../testing/loopbackPage.ts';
import { ask, sendRaw, writeRequest, type Header } from '../../testing/rawHttp.ts';
import { exchangeText, openRawSocket } from '../../testing/rawSocket.ts';

let running: TestHost;
beforeAll(async () => {
  running = await openTestHost({ limits: { headersMs: 150, requestMs: 200 } });
});
afterAll(() => running[Symbol.asyncDispose]());

const megabyte = 1024 * 1024;
/** Length is looked at before the name, so that a few names stand for all. */
const heavyTried = ['suites.list', 'suites.get', 'suites.import'];
const large = 'a'.repeat(4 * megabyte);
const refused = { status: expect.any(Number), code: expect.stringMatching(/^(BAD_REQUEST|PAYLOAD_TOO_LARGE)$/) };
const headers = (): Header[] => [['Host', `127.0.0.1:${running.port}`], ...Object.entries(pageHeaders(running.page))];
const callByHttp = async (call: string, body: string) => {
  const { status, body: text } = await ask(running.port, { method: 'POST', target: `/api/call/${call.replace('.', '/')}`, headers: headers(), body });
  return { status, code: (JSON.parse(text) as { code: string }).code };
};

describe('T16: what a page may send', () => {
  it.each(hostileCalls)('T16: %s would let a hostile input into its body, over the socket or over HTTP, or answer otherwise on one of them', async (call) => {
    const path = `/${call.replace('.', '/')}`;
    const { socket } = await openRawSocket(running.page);
    let id = 0;
    for (const { what, text } of hostileInputs(call, large)) {
      if (what.startsWith('a large') && !heavyTried.includes(call)) continue;
      id += 1;
      const overSocket = await exchangeText(socket, `{"i":"${id}","p":{"u":"${path}","b":{${text === '' ? '' : `"json":${text}`}}}}`);
      expect(overSocket, what).toMatchObject(refused);
      if (!what.startsWith('a large')) expect(await callByHttp(call, text), what).toEqual(overSocket);
    }
    for (const extra of ['"meta":[[2]]', '"meta":[[3,"id"]]', '"maps":[["id"]]']) {
      id += 1;
      expect(await exchangeText(socket, `{"i":"${id}","p":{"u":"${path}","b":{"json":null,${extra}}}}`), extra).toMatchObject({ status: 400 });
    }
    socket.terminate();
    expect(running.recorded.calls).toEqual([]);
    expect(running.logged.filter((line) => !/^(GET|POST) /.test(line))).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('T16: input that is not JSON is refused where it can be said, and ends the socket where it cannot', async () => {
    for (const text of ['{"id":', 'NaN', '{"id":NaN}', '\u0000', '{"id":"x"}{']) expect(await callByHttp('suites.get', text)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    for (const message of ['{"i":', 'NaN', '[]', '{"p":{"u":"/suites/list"}}', '{"i":"1","t":9}', '{"i":"1","t":3,"p":{"e":"message","d":1}}', '{"i":"1"}']) {
      const { socket } = await openRawSocket(running.page);
      expect(await exchangeText(socket, message), message).toEqual({ closed: 1008 });
    }
    const { socket } = await openRawSocket(running.page);
    expect(await exchangeText(socket, Buffer.from('{"i":"1","p":{"u":"/suites/list"}}'))).toEqual({ closed: 1003 });
    expect(running.recorded.calls).toEqual([]);
  });

  it.each(unknownPaths)('T16: the unknown call %s is not found, over the socket and over HTTP', async (path) => {
    const { socket } = await openRawSocket(running.page);
    expect(await exchangeText(socket, JSON.stringify({ i: '1', p: { u: path, b: {} } }))).toMatchObject({ status: 404 });
    socket.terminate();
    // Over HTTP a query is no part of the name, and a name always follows a slash.
    if (/^\/[^?]*$/.test(path)) expect((await ask(running.port, { method: 'POST', target: `/api/call${path}`, headers: headers() })).status).toBe(404);
    expect(running.recorded.calls).toEqual([]);
  });

  it('T16: a stream called over HTTP would hold its source open', async () => {
    expect(await callByHttp('evaluations.watch', '{"id":"e"}')).toMatchObject({ status: expect.any(Number) });
    expect(procedureNames).toContain('evaluations.watch');
    running.recorded.calls.splice(0);
    running.logged.splice(0);
  });
});

describe('T16: slow and endless requests', () => {
  const start = (target: string, more: readonly Header[]) => writeRequest({ method: 'POST', target, headers: [...headers(), ...more] });

  it('T16: headers that never end would hold a connection for ever', async () => {
    const { status } = await sendRaw(running.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\nX-Slow: `);
    expect(status).toBe(408);
  });

  it('T16: a connection that says nothing would be held for ever', async () => {
    expect([0, 408]).toContain((await sendRaw(running.port, '')).status);
  });

  it('T16: a body that never comes would be waited for', async () => {
    const { status } = await sendRaw(running.port, `${start('/api/call/settings/undo', [['Content-Length', '100']])}{"tok`);
    expect([0, 408]).toContain(status);
    expect(running.recorded.calls).toEqual([]);
  });

  it('T16: a body that says it is 1 GB is refused at once, before any of it', async () => {
    for (const call of ['settings/undo', 'suites/import']) {
      const { status, body } = await sendRaw(running.port, start(`/api/call/${call}`, [['Content-Length', String(1024 * megabyte)]]));
      expect(status).toBe(413);
      expect(body).toContain('PAYLOAD_TOO_LARGE');
    }
  });

  it('T16: a body without a length would be read without end', async () => {
    let written = 0;
    const chunk = `100000\r\n${'a'.repeat(megabyte)}\r\n`;
    const { status } = await sendRaw(running.port, start('/api/call/settings/undo', [['Transfer-Encoding', 'chunked']]), (socket) => {
      const fill = () => {
        while (socket.writable && written < 64) {
          written += 1;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', fill);
      fill();
    });
    expect([0, 413]).toContain(status);
    expect(written).toBeLessThan(64);
    expect(running.recorded.calls).toEqual([]);
  });

  it('T16: headers or an address without end would be read', async () => {
    const long = 'a'.repeat(64 * 1024);
    expect([0, 431]).toContain((await sendRaw(running.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\nX-Long: ${long}\r\n\r\n`)).status);
    expect([0, 431]).toContain((await sendRaw(running.port, `GET /${long} HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\n\r\n`)).status);
    expect((await ask(running.port, { target: `/${'a'.repeat(5000)}`, headers: headers() })).status).toBe(400);
  });

  it('T16: after all of it the window would not answer any more', async () => {
    expect(await callByHttp('settings.undo', '{"token":"x"}')).toMatchObject({ status: 200 });
  });
});
