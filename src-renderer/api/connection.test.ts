import { ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost, createLine } from './connection.ts';

type Link = ClientLink<ClientContext>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answering = (answer: unknown): Link => ({ call: async () => answer });
const call = (link: Link, signal?: AbortSignal) =>
  link.call(['suites', 'list'], undefined, { context: {}, signal });

describe('a line', () => {
  it('a call that was made before the connection stood goes out when it does, instead of failing', async () => {
    const line = createLine();
    const waiting = call(line.link);
    line.up(answering('here'));
    expect(await waiting).toBe('here');
  });

  it('a call that waits in vain fails in its time', async () => {
    const line = createLine(1000);
    const failed = expect(call(line.link)).rejects.toBeInstanceOf(ConnectionLost);
    await vi.advanceTimersByTimeAsync(1000);
    await failed;
  });

  it('a call that waits is given up with its signal', async () => {
    const line = createLine();
    const giveUp = new AbortController();
    const failed = expect(call(line.link, giveUp.signal)).rejects.toBe('enough');
    giveUp.abort('enough');
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a signal that fired before the call is heard too', async () => {
    const line = createLine();
    await expect(call(line.link, AbortSignal.abort('enough'))).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a refusal ends what waits and what comes later, at once', async () => {
    const line = createLine();
    const waiting = expect(call(line.link)).rejects.toBeInstanceOf(ConnectionLost);
    line.down('refused');
    await waiting;
    await expect(call(line.link)).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('a call whose transport goes away fails as a lost connection, and the next one takes the new transport', async () => {
    const line = createLine();
    const broken = Promise.withResolvers<unknown>();
    line.up({ call: () => broken.promise });
    const failed = expect(call(line.link)).rejects.toBeInstanceOf(ConnectionLost);
    await vi.advanceTimersByTimeAsync(0);
    line.down('lost');
    broken.reject(new Error('queue closed'));
    await failed;
    line.up(answering('again'));
    expect(await call(line.link)).toBe('again');
  });

  it('an error that the core has sent stays what it is, even when the line drops right after', async () => {
    const line = createLine();
    const refused = Promise.withResolvers<unknown>();
    line.up({ call: () => refused.promise });
    const failed = expect(call(line.link)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await vi.advanceTimersByTimeAsync(0);
    line.down('lost');
    refused.reject(new ORPCError('NOT_FOUND'));
    await failed;
  });

  it('a stream whose transport goes away fails as a lost connection, so that its reader resumes', async () => {
    const line = createLine();
    const next = Promise.withResolvers<IteratorResult<number, undefined>>();
    const stream = { next: () => next.promise, [Symbol.asyncIterator]: () => stream };
    line.up(answering(stream));
    const events = (await call(line.link)) as AsyncIterator<number>;
    const failed = expect(events.next()).rejects.toBeInstanceOf(ConnectionLost);
    line.down('lost');
    next.reject(new Error('queue closed'));
    await failed;
  });

  it('tells its listeners every change, and those that left no more', () => {
    const line = createLine();
    const seen: string[] = [];
    const leave = line.subscribe(() => void seen.push(line.state()));
    line.up(answering(1));
    line.down('lost');
    leave();
    line.down('refused');
    expect(seen).toEqual(['open', 'lost']);
  });
});
