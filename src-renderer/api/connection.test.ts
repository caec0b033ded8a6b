import { ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { ConnectionLost, createLine } from './connection.ts';

const answering = (answer: unknown): ClientLink<ClientContext> => ({ call: async () => answer });
const options = (signal?: AbortSignal) => ({ context: {}, signal, lastEventId: undefined });
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => null, (error: unknown) => error);

describe('a line to the core', () => {
  it('a call made before the transport is there would fail instead of waiting for it', async () => {
    const line = createLine();
    const call = line.link.call(['a'], undefined, options());
    line.up(answering(7));
    expect(await call).toBe(7);
    expect(line.state()).toBe('open');
  });

  it('a call would go out on the transport that was lost', async () => {
    const line = createLine();
    line.up(answering('old'));
    line.down('lost');
    const call = line.link.call(['a'], undefined, options());
    line.up(answering('new'));
    expect(await call).toBe('new');
  });

  it('a call would wait for ever where nobody answers, or where the session is refused', async () => {
    expect(await failure(createLine(1).link.call(['a'], undefined, options()))).toBeInstanceOf(ConnectionLost);
    const line = createLine();
    const waiting = failure(line.link.call(['a'], undefined, options()));
    line.down('refused');
    expect(await waiting).toBeInstanceOf(ConnectionLost);
    expect(await failure(line.link.call(['a'], undefined, options()))).toBeInstanceOf(ConnectionLost);
  });

  it('a call that is given up, before or while it waits, would wait on', async () => {
    const line = createLine();
    const reason = new Error('given up');
    expect(await failure(line.link.call(['a'], undefined, options(AbortSignal.abort(reason))))).toBe(reason);
    const giveUp = new AbortController();
    const waiting = failure(line.link.call(['a'], undefined, options(giveUp.signal)));
    giveUp.abort(reason);
    expect(await waiting).toBe(reason);
  });

  it('the loss of the transport would look like a fault of the call, or a typed error like a loss', async () => {
    const line = createLine();
    line.up({ call: async () => { line.down('lost'); throw new Error('socket closed'); } });
    expect(await failure(line.link.call(['a'], undefined, options()))).toBeInstanceOf(ConnectionLost);
    const typed = new ORPCError('NOT_FOUND');
    line.up({ call: async () => { line.down('lost'); throw typed; } });
    expect(await failure(line.link.call(['a'], undefined, options()))).toBe(typed);
  });
});
