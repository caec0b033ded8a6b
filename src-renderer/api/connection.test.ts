import { ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost, createReconnectingLink } from './connection.ts';

type Link = ClientLink<ClientContext>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answering = (answer: unknown): Link => ({ call: async () => answer });
const call = (link: Link, signal?: AbortSignal) =>
  link.call(['suites', 'list'], undefined, { context: {}, signal });

describe('createReconnectingLink', () => {
  it('sends a call made before the connection opened as soon as it opens', async () => {
    const reconnecting = createReconnectingLink();
    const waiting = call(reconnecting.link);
    reconnecting.connected(answering('here'));
    expect(await waiting).toBe('here');
  });

  it('fails a waiting call after its time limit', async () => {
    const reconnecting = createReconnectingLink(1000);
    const failed = expect(call(reconnecting.link)).rejects.toBeInstanceOf(ConnectionLost);
    await vi.advanceTimersByTimeAsync(1000);
    await failed;
  });

  it('fails a waiting call when its signal aborts', async () => {
    const reconnecting = createReconnectingLink();
    const controller = new AbortController();
    const failed = expect(call(reconnecting.link, controller.signal)).rejects.toBe('enough');
    controller.abort('enough');
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails a call whose signal aborted before', async () => {
    const reconnecting = createReconnectingLink();
    await expect(call(reconnecting.link, AbortSignal.abort('enough'))).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails waiting and later calls at once after a refusal', async () => {
    const reconnecting = createReconnectingLink();
    const waiting = expect(call(reconnecting.link)).rejects.toBeInstanceOf(ConnectionLost);
    reconnecting.disconnected('refused');
    await waiting;
    await expect(call(reconnecting.link)).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('fails a call as ConnectionLost with its transport, and uses the next transport', async () => {
    const reconnecting = createReconnectingLink();
    const broken = Promise.withResolvers<unknown>();
    reconnecting.connected({ call: () => broken.promise });
    const failed = expect(call(reconnecting.link)).rejects.toBeInstanceOf(ConnectionLost);
    await vi.advanceTimersByTimeAsync(0);
    reconnecting.disconnected('lost');
    broken.reject(new Error('queue closed'));
    await failed;
    reconnecting.connected(answering('again'));
    expect(await call(reconnecting.link)).toBe('again');
  });

  it('passes on an error from the core even if the connection drops right after', async () => {
    const reconnecting = createReconnectingLink();
    const refused = Promise.withResolvers<unknown>();
    reconnecting.connected({ call: () => refused.promise });
    const failed = expect(call(reconnecting.link)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await vi.advanceTimersByTimeAsync(0);
    reconnecting.disconnected('lost');
    refused.reject(new ORPCError('NOT_FOUND'));
    await failed;
  });

  it('fails a stream as ConnectionLost when its transport goes away', async () => {
    const reconnecting = createReconnectingLink();
    const next = Promise.withResolvers<IteratorResult<number, undefined>>();
    const stream = { next: () => next.promise, [Symbol.asyncIterator]: () => stream };
    reconnecting.connected(answering(stream));
    const events = (await call(reconnecting.link)) as AsyncIterator<number>;
    const failed = expect(events.next()).rejects.toBeInstanceOf(ConnectionLost);
    reconnecting.disconnected('lost');
    next.reject(new Error('queue closed'));
    await failed;
  });

  it('calls listeners at every change until they unsubscribe', () => {
    const reconnecting = createReconnectingLink();
    const seen: string[] = [];
    const unsubscribe = reconnecting.subscribe(() => void seen.push(reconnecting.state()));
    reconnecting.connected(answering(1));
    reconnecting.disconnected('lost');
    unsubscribe();
    reconnecting.disconnected('refused');
    expect(seen).toEqual(['open', 'lost']);
  });
});
