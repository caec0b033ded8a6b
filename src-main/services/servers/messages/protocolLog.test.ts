import { afterAll, describe, expect, it } from 'vitest';
import type {
  ProtocolMessage,
  ProtocolMessages,
} from '../../../../src-shared/domain/protocolMessage.ts';
import { createSecretGuard } from '../../../adapters/secrets/secretGuard.ts';
import { beginningOf } from '../../../adapters/mcp/wireTap.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../../testing/fakeMcpServer/start.ts';
import { watchLoop } from '../../../testing/watchLoop.ts';
import { openServers } from '../serversService.fixture.ts';
import { serverUrl } from '../serverUrl.ts';
import { ProtocolLog } from './protocolLog.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';

const guard = createSecretGuard();
const known = 'hx-7QmB2vLr9TzKd04WnYp81sGe';
guard.guard(known);
const servers = openServers({}, 60_000, guard.redact);
afterAll(() => servers[Symbol.asyncDispose]());
const { service } = servers;
const call = { signal: new AbortController().signal };

/** Added without the check of a new server, which would be in its log. */
function add(name: string, config: ServerConfig): string {
  return servers.database.store.servers.insert({ name, config, url: serverUrl(config) }).id;
}

/** All that is kept now. */
async function logOf(id: string, search = ''): Promise<ProtocolMessages> {
  const stop = new AbortController();
  let all = null as ProtocolMessages | null;
  for await (const page of service.messages({ id, afterSeq: 0, search }, { signal: stop.signal })) {
    all = { ...page, messages: [...(all?.messages ?? []), ...page.messages] };
    if ((all.messages.at(-1)?.seq ?? page.lastSeq) === page.lastSeq || search !== '') break;
  }
  stop.abort();
  if (all === null) throw new Error('The log gave nothing.');
  return all;
}

const textOf = async (id: string, { seq }: ProtocolMessage): Promise<string> =>
  (await service.message({ id, seq })).text;

const brief = ({ from, kind, method, failed }: ProtocolMessage): string =>
  `${from} ${kind}${method === null ? '' : ` ${method}`}${failed ? ' failed' : ''}`;

/** What a server of the earlier era and this program send each other in a check. */
const handshake = [
  'client request server/discover',
  'server error server/discover',
  'client request initialize',
  'server result initialize',
  'client notification notifications/initialized',
  'client request tools/list',
  'server result tools/list',
];
const isMessage = ({ kind }: ProtocolMessage): boolean =>
  ['request', 'notification', 'result', 'error'].includes(kind);

describe('the log of the protocol', () => {
  it('has every message of a check over stdio, with its size, its answer and its time', async () => {
    const id = add('stdio', fakeStdioServer());
    await service.check({ id });
    const { messages, dropped, firstSeq, lastSeq } = await logOf(id);
    expect(messages.filter(isMessage).map(brief)).toEqual(handshake);
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1));
    expect({ dropped, firstSeq, lastSeq }).toEqual({
      dropped: 0,
      firstSeq: 1,
      lastSeq: messages.length,
    });
    expect(messages.filter(({ kind }) => kind === 'process').map(brief)).toEqual([
      'client process',
      'server process',
    ]);
    for (const message of messages.filter(isMessage)) {
      const text = await textOf(id, message);
      expect(message.bytes).toBe(Buffer.byteLength(text));
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
      if (message.answers === null) continue;
      const asked = messages[message.answers - 1];
      expect(asked).toMatchObject({ kind: 'request', method: message.method });
      expect(message.messageId).toBe(asked?.messageId);
      expect(message.durationMs).toBeGreaterThan(0);
    }
    const list = messages.find(({ kind, method }) => kind === 'result' && method === 'tools/list');
    expect(list?.preview).toMatch(/^\{"tools":\[\{"name":"echo"/);
  });

  it.each(['json', 'events', 'sse'] as const)(
    'has the same messages over HTTP, with status and headers: %s',
    async (shape) => {
      await using server = await startFakeHttpServer('normal', shape);
      const id = add(`http ${shape}`, server.config({ Authorization: 'Bearer pa55word-of-mine' }));
      await service.check({ id });
      const { messages } = await logOf(id);
      const old = handshake.filter((line) => !line.includes('discover'));
      expect(messages.filter(isMessage).map(brief)).toEqual(shape === 'sse' ? old : handshake);
      const http = messages.filter(({ kind }) => kind === 'http');
      expect(http.map(({ method }) => method)).toContain(shape === 'sse' ? 'GET 200' : 'POST 202');
      const texts = await Promise.all(http.map((line) => textOf(id, line)));
      expect(texts[0]).toMatch(/^(GET|POST) http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
      expect(texts[0]).toContain('authorization: Bearer ••••••');
      expect(texts[0]).toContain('HTTP 200 OK');
      expect(texts.join()).not.toContain('pa55word');
    },
  );

  it('counts the connections to a server', async () => {
    const id = add('apart', fakeStdioServer('normal', { location: 'apart' }));
    await service.check({ id });
    await service.callTool({ id, tool: 'echo', arguments: { text: 'a' } }, call);
    const { messages } = await logOf(id);
    expect([...new Set(messages.map(({ connection }) => connection))]).toEqual([1, 2]);
  });

  it('sends a call again with the same arguments, also those that it hides', async () => {
    const id = add('again', fakeStdioServer('normal', { location: 'again' }));
    const args = { text: known, password: 'correct horse', nested: '{"api_key":"abcdef-123456"}' };
    await service.callTool({ id, tool: 'echo', arguments: args }, call);
    const before = (await logOf(id)).messages;
    const asked = before.find(({ method, kind }) => kind === 'request' && method === 'tools/call');
    expect(asked).toMatchObject({ tool: 'echo', from: 'client', failed: false });
    if (asked === undefined) throw new Error('No call was recorded.');
    const shown = await textOf(id, asked);
    for (const hidden of [known, 'correct horse', 'abcdef-123456'])
      expect(shown).not.toContain(hidden);
    expect(JSON.parse(shown)).toMatchObject({ params: { arguments: { password: '••••••' } } });
    const result = await service.repeatCall({ id, seq: asked.seq }, call);
    expect(JSON.stringify(result.content)).toContain(known);
    const pair = (await logOf(id)).messages
      .slice(before.length)
      .filter(({ tool, method }) => tool === 'echo' && method === 'tools/call');
    expect(pair.map(brief)).toEqual(['client request tools/call', 'server result tools/call']);
    await expect(service.repeatCall({ id, seq: 1 }, call)).rejects.toMatchObject({
      data: { cause: 'It isn’t a call of a tool.' },
    });
    await expect(service.repeatCall({ id, seq: 9999 }, call)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each([
    ['banner', /^Listening on stdio…$/, 'text'],
    ['bad-json', /"result":\{"tools":\[\}\}$/, 'text'],
    ['list-error', /The database is locked/, 'error'],
    ['complain-and-exit', /PingRequest\.method\n {2}Input should be 'ping'/, 'stderr'],
    ['exit-at-start', /^Process \d+ ended: exit code 3\.$/, 'process'],
    ['exit-at-call', /^out of luck$/, 'stderr'],
    ['crash-at-call', /^Process \d+ ended: SIGSEGV\.$/, 'process'],
  ] as const)('shows what a server does wrong: %s', async (mode, text, kind) => {
    const id = add(mode, fakeStdioServer(mode));
    await service.check({ id });
    if (mode.endsWith('call'))
      await service.callTool({ id, tool: 'echo', arguments: {} }, call).catch(() => undefined);
    const { messages } = await logOf(id);
    const wrong = messages.filter((line) => line.kind === kind);
    const texts = await Promise.all(wrong.map((line) => textOf(id, line)));
    expect(texts.join('\n---\n')).toMatch(new RegExp(text, 'm'));
    if (kind !== 'stderr') expect(wrong.some(({ failed }) => failed)).toBe(true);
  });

  it('marks a refusal over HTTP, and shows its body', async () => {
    await using server = await startFakeHttpServer('list-500');
    const id = add('refusing', server.config());
    await service.check({ id });
    const { messages } = await logOf(id);
    const failed = messages.filter((line) => line.failed).map(brief);
    expect(failed).toContain('client http POST 500 failed');
    const body = messages.find(({ kind }) => kind === 'text');
    expect(body?.preview).toBe('the database is locked');
  });

  it('hides what it knows of a secret that a server echoes in parts', async () => {
    const id = add('echoing', fakeStdioServer('complaining'));
    const text = `a ${known} b\n${known.slice(0, 14)}\n${known.slice(14)} token=zxcvbnm123456`;
    await service.callTool({ id, tool: 'echo', arguments: { text } }, call).catch(() => undefined);
    const { messages } = await logOf(id);
    const said = await Promise.all(messages.map((line) => textOf(id, line)));
    const shown = [...said, ...messages.map(({ preview }) => preview)].join('\n');
    for (const part of [known.slice(0, 14), known.slice(14), 'zxcvbnm123456'])
      expect(shown).not.toContain(part);
    expect(messages.some(({ kind }) => kind === 'stderr')).toBe(true);
  });

  it('keeps the beginning of a message of 10 MB, its whole size and its answer', async () => {
    const id = add('large', fakeStdioServer('text-20mb', { scale: '0.5' }));
    using loop = watchLoop();
    await service.callTool({ id, tool: 'echo', arguments: {} }, call);
    const { messages } = await logOf(id);
    expect(loop.take().computingMs).toBeLessThan(1000);
    const result = messages.find(({ isCut }) => isCut);
    expect(result).toMatchObject({ kind: 'result', method: 'tools/call', tool: 'echo' });
    expect(result?.bytes).toBeGreaterThan(10_000_000);
    if (result === undefined) throw new Error('No message was cut.');
    expect(await textOf(id, result)).toHaveLength(256 * 1024);
  });

  it('keeps at most 4 MB, and no name that a server makes long', () => {
    const log = new ProtocolLog({ clock: systemClock, redact: (text) => text });
    const tap = log.open('a');
    const method = 'm'.repeat(100_000);
    for (let id = 0; id < 100; id += 1) {
      const text = JSON.stringify({ jsonrpc: '2.0', id, method });
      tap({ kind: 'received', ...beginningOf(text) });
    }
    expect(() => log.read('a', 1)).toThrow('It was dropped');
    // 4 MiB ÷ 100,037 bytes.
    expect(log.read('a', 100 - 41 + 1).text).toHaveLength(100_037);
    expect(() => log.read('a', 100 - 41)).toThrow('It was dropped');
  });

  it('keeps the last 1,000 lines of a flood, and counts the others', async () => {
    const id = add('flood', fakeStdioServer('notification-flood', { scale: '0.2' }));
    using loop = watchLoop();
    await service.check({ id });
    const { messages, dropped, lastSeq, firstSeq } = await logOf(id);
    expect(loop.take().computingMs).toBeLessThan(1000);
    expect(messages).toHaveLength(1000);
    expect(lastSeq).toBeGreaterThan(20_000);
    expect(dropped).toBe(lastSeq - 1000);
    expect(firstSeq).toBe(lastSeq - 999);
  });

  it('finds text anywhere in a message, follows new ones, clears, and ends with its reader', async () => {
    const id = add('watched', fakeStdioServer('normal', { location: 'watched' }));
    const stop = new AbortController();
    const pages = service.messages({ id, afterSeq: 0, search: 'ENVIRONMENT' }, stop);
    expect((await pages.next()).value).toEqual({
      messages: [],
      firstSeq: 1,
      lastSeq: 0,
      dropped: 0,
    });
    const found: string[] = [];
    const checked = service.check({ id });
    while (found.length === 0)
      found.push(...((await pages.next()).value?.messages ?? []).map(brief));
    await checked;
    expect(found).toEqual(['server result tools/list']);
    const { lastSeq } = await logOf(id);
    expect(await service.clearMessages({ id })).toEqual({ cleared: lastSeq });
    expect(await logOf(id)).toEqual({ messages: [], firstSeq: lastSeq + 1, lastSeq, dropped: 0 });
    const ended = pages.next();
    stop.abort();
    for (let next = await ended; next.done !== true; next = await pages.next())
      expect(next.value.messages).toEqual([]);
    await service.remove({ id });
    await expect(service.message({ id, seq: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
