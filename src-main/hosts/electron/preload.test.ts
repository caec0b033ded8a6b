import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as Fake from '../../testing/fakeElectron/electron.ts';
import { portHandover, portRequest } from '../../../src-shared/domain/connection.ts';

/** The page's window, as far as a preload sees it. */
class FakeWindow extends EventEmitter {
  readonly sent: { message: unknown; ports: unknown[] }[] = [];
  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.on(type, listener);
  }
  postMessage(message: unknown, _origin: string, ports: unknown[]): void {
    this.sent.push({ message, ports });
  }
  receive(data: unknown, source: unknown = this): void {
    this.emit('message', { data, source });
  }
}

let page: FakeWindow;
let seen: typeof Fake.fakeElectron;
beforeEach(async () => {
  // A new page load runs the preload again.
  vi.resetModules();
  ({ fakeElectron: seen } = await import('../../testing/fakeElectron/electron.ts'));
  page = new FakeWindow();
  vi.stubGlobal('window', page);
  await import('./preload.ts');
});
afterEach(() => {
  for (const { ports } of page.sent)
    for (const port of ports) (port as { close: () => void }).close();
  vi.unstubAllGlobals();
});

it('hands over one port for each page load', () => {
  for (let ask = 0; ask < 3; ask += 1) page.receive(portRequest);
  expect(seen.posted).toHaveLength(1);
  expect(seen.posted[0]?.ports).toHaveLength(1);
  expect(page.sent).toHaveLength(1);
  expect(page.sent[0]).toMatchObject({ message: portHandover });
  expect(page.sent[0]?.ports).toHaveLength(1);
});

it('accepts only the port request, from its own window', () => {
  page.receive(portRequest, { another: 'window' });
  page.receive('touchstone:port');
  page.receive({ toString: () => portRequest });
  expect(page.sent).toEqual([]);
});

it('exposes only the kind of host', () => {
  expect([...seen.exposed]).toEqual([['touchstone', { host: 'electron' }]]);
  expect(seen.posted).toEqual([]);
});

it('passes on commands of the menu only, without the event', () => {
  const pass = seen.received.get('touchstone:command') as (
    event: unknown,
    command: unknown,
  ) => void;
  for (const command of [
    null,
    {},
    'touchstone:port',
    'go /servers',
    ['touchstone:command go /servers'],
  ])
    pass({ sender: 'secret' }, command);
  expect(page.sent).toEqual([]);
  pass({ sender: 'secret' }, 'touchstone:command go /servers');
  expect(page.sent.map(({ message }) => message)).toEqual(['touchstone:command go /servers']);
  page.sent.splice(0);
});
