import { ORPCError, createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../src-shared/contract/index.ts';
import { createRpcServer } from '../../rpc/peers.ts';
import { recordServices, type RecordedServices } from '../../testing/contractSuiteServices.ts';
import {
  hostileInputs,
  hostileSample,
  extremeInputs,
  unknownPaths,
} from '../../testing/contractSuiteHostile.ts';
import {
  fakeElectron,
  FakeFrame,
  FakeMessagePortMain,
  FakeWebContents,
  resetFakeElectron,
} from '../../testing/fakeElectron/electron.ts';
import { portChannel } from './channels.ts';
import { registerPorts } from './ipc.ts';

interface ConnectEvent {
  ports: FakeMessagePortMain[];
  sender: FakeWebContents;
  senderFrame: FakeFrame | null;
}

const open: MessagePort[] = [];
const logged: string[] = [];
let recorded: RecordedServices;

function handOver(event: Omit<ConnectEvent, 'ports'>): MessagePort {
  const { port1, port2 } = new MessageChannel();
  open.push(port1);
  const connect: ConnectEvent = { ...event, ports: [new FakeMessagePortMain(port2)] };
  (fakeElectron.listeners.get(portChannel) as (event: ConnectEvent) => void)(connect);
  return port1;
}

/** The page's end: a port delivers nothing before it is started. */
function startedPort(port: MessagePort): FakeMessagePortMain {
  const started = new FakeMessagePortMain(port);
  started.start();
  return started;
}

function ownPage(): Omit<ConnectEvent, 'ports'> {
  const sender = new FakeWebContents();
  return { sender, senderFrame: sender.mainFrame };
}

/** Sends one raw message and waits for what comes back: an answer, or the end of the port. */
async function exchange(
  port: MessagePort,
  message: unknown,
): Promise<{ status: number; code: string } | 'closed'> {
  const answer = await new Promise<unknown>((resolve) => {
    const settle = (result: unknown) => {
      port.off('message', settle).off('close', closed);
      resolve(result);
    };
    const closed = () => settle(null);
    port.on('message', settle).on('close', closed).postMessage(message);
  });
  if (answer === null) return 'closed';
  const { p } = JSON.parse(answer as string) as {
    p: { s?: number; b: { json?: { code?: string } } | string };
  };
  return { status: p.s ?? 200, code: typeof p.b === 'string' ? p.b : (p.b.json?.code ?? '') };
}

beforeEach(() => {
  resetFakeElectron();
  recorded = recordServices({ settings: { undo: async ({ token }) => ({ what: token }) } });
  const log = { info: () => undefined, error: (message: string) => void logged.push(message) };
  registerPorts(createRpcServer(recorded.services, log), log);
});
afterEach(() => {
  for (const port of open.splice(0)) port.close();
  logged.splice(0);
});

describe('port requests', () => {
  it('serves the app’s own page over the only channel', async () => {
    expect([...fakeElectron.listeners.keys()]).toEqual([portChannel]);
    expect(fakeElectron.otherChannels).toEqual([]);
    const port = startedPort(handOver(ownPage()));
    const client = createORPCClient<Client>(new RPCLink({ port }));
    expect(await client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
  });

  const top = (url: string) => {
    const sender = new FakeWebContents();
    sender.mainFrame = new FakeFrame(url);
    return { sender, senderFrame: sender.mainFrame };
  };
  const hostile: [string, () => Omit<ConnectEvent, 'ports'>][] = [
    ...[
      'https://app.evil/',
      'https://app/',
      'touchstone://app.evil/',
      'touchstone://evil@app/',
      'touchstone://app@evil/',
      'touchstone:app',
      'file:///app',
      'about:blank',
      '',
      'data:text/html,x',
    ].map((url): [string, () => Omit<ConnectEvent, 'ports'>] => [
      `a page at ${JSON.stringify(url)}`,
      () => top(url),
    ]),
    [
      'a subframe with the right address',
      () => {
        const sender = new FakeWebContents();
        const frame = new FakeFrame('touchstone://app/');
        frame.parent = sender.mainFrame;
        return { sender, senderFrame: frame };
      },
    ],
    [
      'another top frame than the window’s',
      () => ({ sender: new FakeWebContents(), senderFrame: new FakeFrame('touchstone://app/') }),
    ],
    ['no frame', () => ({ sender: new FakeWebContents(), senderFrame: null })],
    [
      'a detached frame',
      () => {
        const page = ownPage();
        if (page.senderFrame) page.senderFrame.detached = true;
        return page;
      },
    ],
    [
      'a destroyed frame that throws when it is read',
      () => {
        const page = ownPage();
        Object.defineProperty(page.sender, 'mainFrame', {
          get: () => {
            throw new Error('Render frame was disposed');
          },
        });
        return page;
      },
    ],
  ];
  it.each(hostile)('T02: refuses a port to %s', async (_name, event) => {
    const port = handOver(event());
    await once(port, 'close');
    expect(recorded.calls).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  it('T02: closes both ports of a message with two', async () => {
    const first = new MessageChannel();
    const second = new MessageChannel();
    const closed = Promise.all([once(first.port1, 'close'), once(second.port1, 'close')]);
    const ports = [new FakeMessagePortMain(first.port2), new FakeMessagePortMain(second.port2)];
    (fakeElectron.listeners.get(portChannel) as (event: ConnectEvent) => void)({
      ...ownPage(),
      ports,
    });
    await closed;
  });

  it('closes the old port of a page that reloads', async () => {
    const page = ownPage();
    const before = handOver(page);
    const closed = once(before, 'close');
    const after = startedPort(handOver(page));
    await closed;
    const client = createORPCClient<Client>(new RPCLink({ port: after }));
    expect(await client.settings.undo({ token: 'x' })).toEqual({ what: 'x' });
  });
});

describe('messages of a page', () => {
  const extreme = extremeInputs(5 * 1024 * 1024);
  it.each(hostileSample)(
    'T02: %s refuses every hostile input with an error code before any service runs',
    async (call) => {
      const port = handOver(ownPage());
      const path = `/${call.replace('.', '/')}`;
      let id = 0;
      for (const { what, text } of hostileInputs(call, extreme)) {
        id += 1;
        const answer = await exchange(
          port,
          `{"i":"${id}","p":{"u":"${path}","b":{${text === '' ? '' : `"json":${text}`}}}}`,
        );
        expect(answer, what).toMatchObject({
          status: expect.any(Number),
          code: expect.stringMatching(/^(BAD_REQUEST|PAYLOAD_TOO_LARGE)$/),
        });
      }
      for (const extra of ['"meta":[[2]]', '"meta":[[3,"id"]]', '"maps":[["id"]]']) {
        id += 1;
        expect(
          await exchange(port, `{"i":"${id}","p":{"u":"${path}","b":{"json":null,${extra}}}}`),
          extra,
        ).toMatchObject({ status: 400 });
      }
      for (const header of [
        '{"content-type":"text/event-stream"}',
        '{"content-disposition":"attachment; filename=x"}',
      ]) {
        id += 1;
        expect(
          await exchange(port, `{"i":"${id}","p":{"u":"${path}","h":${header},"b":{}}}`),
          header,
        ).toMatchObject({ status: 400 });
      }
      expect(recorded.calls).toEqual([]);
      expect(logged).toEqual([]);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  it('T02: refuses a string of 50 MB by its length, except where a suite is imported', async () => {
    const port = handOver(ownPage());
    const huge = 'a'.repeat(50 * 1024 * 1024);
    expect(
      await exchange(port, `{"i":"1","p":{"u":"/suites/get","b":{"json":{"id":"${huge}"}}}}`),
    ).toMatchObject({ status: 413 });
    expect(
      await exchange(port, `{"i":"2","p":{"u":"/suites/import","b":{"json":{"id":"${huge}"}}}}`),
    ).toMatchObject({ status: 400 });
    expect(recorded.calls).toEqual([]);
  });

  it.each(unknownPaths)('T02: answers 404 to the unknown call %s', async (path) => {
    const port = handOver(ownPage());
    expect(await exchange(port, JSON.stringify({ i: '1', p: { u: path, b: {} } }))).toMatchObject({
      status: 404,
    });
    expect(recorded.calls).toEqual([]);
  });

  it.each([
    ['text that is not JSON', '{"i":'],
    ['NaN, which JSON does not have', '{"i":"1","p":{"u":"/suites/get","b":{"json":{"id":NaN}}}}'],
    ['an object instead of text', { i: '1', p: { u: '/suites/list' } }],
    ['bytes', new Uint8Array([123, 125])],
    ['a message without an id', '{"p":{"u":"/suites/list"}}'],
    ['an unknown kind of message', '{"i":"1","t":9}'],
    ['an item of an input stream', '{"i":"1","t":3,"p":{"e":"message","d":1}}'],
    ['a call without content', '{"i":"1"}'],
  ])('T02: closes the port after %s', async (_what, message) => {
    expect(await exchange(handOver(ownPage()), message)).toBe('closed');
    expect(recorded.calls).toEqual([]);
    expect(logged).toHaveLength(1);
  });
});

it('sends errors to the page without a stack', async () => {
  const client = createORPCClient<Client>(new RPCLink({ port: startedPort(handOver(ownPage())) }));
  const error: unknown = await client.suites.list().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ORPCError);
  expect(JSON.stringify(error)).not.toMatch(/stack|has no answer in this test/);
});
