import { isDefinedError, type ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import type { Client } from '../../src-shared/contract/index.ts';
import type { EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { Log } from '../runtime/log.ts';
import type { Services } from '../services/services.ts';
import { plannedEvent, recordServices, watchedSource } from './contractSuiteServices.ts';

export interface ContractPeer {
  client: Client;
  /** Cuts the connection without notice, as a crash or a closed lid does. */
  lose(): void;
}

export interface ContractTransport {
  connect(): Promise<ContractPeer>;
  close(): Promise<void>;
}

export type OpenTransport = (services: Services, log: Log) => Promise<ContractTransport>;

/**
 * The tests that every transport of the contract must pass: linked ports and the socket of the
 * loopback window.
 */
export function describeContract(name: string, openTransport: OpenTransport): void {
  describe(`the contract over ${name}`, () => {
    const open: ContractTransport[] = [];
    const logged: string[] = [];
    const log: Log = { info: () => undefined, error: (message) => void logged.push(message) };
    afterEach(async () => {
      for (const transport of open.splice(0)) await transport.close();
      logged.splice(0);
    });
    const serve = async (given: Parameters<typeof recordServices>[0]) => {
      const recorded = recordServices(given);
      const transport = await openTransport(recorded.services, log);
      open.push(transport);
      return { calls: recorded.calls, transport, peer: await transport.connect() };
    };
    const failure = async (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => null,
        (error: unknown) => error,
      );

    it(
      'a result arrives as the service gave it, and parsed input with its defaults reaches the ' +
        'service',
      async () => {
        let seen: unknown;
        const { peer } = await serve({
          evaluations: { list: async (input) => ((seen = input), []) },
        });
        expect(await peer.client.evaluations.list({})).toEqual([]);
        expect(seen).toEqual({ limit: 100 });
      },
    );

    it('assigns answers of concurrent calls to their calls', async () => {
      const first = Promise.withResolvers<void>();
      const { peer } = await serve({
        settings: {
          undo: async ({ token }) => {
            if (token === 'slow') await first.promise;
            return { what: token };
          },
        },
      });
      const slow = peer.client.settings.undo({ token: 'slow' });
      expect(await peer.client.settings.undo({ token: 'fast' })).toEqual({ what: 'fast' });
      first.resolve();
      expect(await slow).toEqual({ what: 'slow' });
    });

    it('keeps code, data and message of a typed error', async () => {
      const data = {
        thing: 'Suite “a”',
        cause: 'was deleted.',
        nextStep: 'Choose another.',
        field: 'id',
      };
      const { peer } = await serve({
        suites: { get: async () => Promise.reject(new ServiceError('NOT_FOUND', data)) },
      });
      const error = await failure(peer.client.suites.get({ id: 'a' }));
      expect(isDefinedError(error)).toBe(true);
      expect(error).toMatchObject({
        code: 'NOT_FOUND',
        status: 404,
        data,
        message: 'Suite “a”: was deleted. Choose another.',
      });
      expect(logged).toEqual([]);
    });

    it('refuses invalid input with its path before it calls the service', async () => {
      const { peer, calls } = await serve({});
      const error = await failure(peer.client.evaluations.runs({ id: 'e', limit: 10_000 }));
      expect(error).toMatchObject({ code: 'BAD_REQUEST', data: { issues: [{ path: 'limit' }] } });
      expect((error as Error).message).toMatch(/^evaluations\.runs: limit: /);
      expect(calls).toEqual([]);
    });

    it(
      'an unexpected error is logged once under a reference, and nothing of it goes over the ' +
        'wire',
      async () => {
        const { peer } = await serve({
          suites: { list: async () => Promise.reject(new Error('secret-inside at /home/someone')) },
        });
        const error = await failure(peer.client.suites.list());
        expect(error).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', status: 500 });
        expect(JSON.stringify(error)).not.toContain('secret-inside');
        const { reference } = (error as ORPCError<string, { reference: string }>).data;
        expect(logged).toHaveLength(1);
        expect(logged[0]).toContain(reference);
        expect(logged[0]).toContain('secret-inside');
      },
    );

    it('reports an answer that breaks the contract as an internal error', async () => {
      const { peer } = await serve({
        settings: { undo: async () => ({ what: 7 }) as unknown as { what: string } },
      });
      expect(await failure(peer.client.settings.undo({ token: 'x' }))).toMatchObject({
        code: 'INTERNAL_SERVER_ERROR',
      });
      expect(logged).toHaveLength(1);
    });

    it('delivers a stream completely, in order, and ends it', async () => {
      const { peer } = await serve({
        evaluations: {
          async *watch() {
            for (const seq of [1, 2, 3]) yield plannedEvent(seq);
          },
        },
      });
      expect(await collect(await peer.client.evaluations.watch({ id: 'e' }))).toEqual([1, 2, 3]);
    });

    it('delivers a typed error of a stream after the events before it', async () => {
      const { peer } = await serve({
        evaluations: {
          async *watch() {
            yield plannedEvent(1);
            throw new ServiceError('LAGGED', {
              thing: 'The reader',
              cause: 'fell behind.',
              nextStep: 'Resume.',
            });
          },
        },
      });
      const seen: EvaluationEvent[] = [];
      const error = await failure(collect(await peer.client.evaluations.watch({ id: 'e' }), seen));
      expect(seen.map(({ seq }) => seq)).toEqual([1]);
      expect(error).toMatchObject({ code: 'LAGGED', data: { nextStep: 'Resume.' } });
    });

    it('ends the stream, closes its source and logs an event that breaks the contract', async () => {
      const { source, push, returned } = watchedSource();
      const { peer } = await serve({ evaluations: { watch: () => source } });
      push({ seq: 'one' } as unknown as EvaluationEvent);
      expect(
        await failure(collect(await peer.client.evaluations.watch({ id: 'e' }))),
      ).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
      await returned;
      expect(logged).toHaveLength(1);
    });

    it('aborts the signal of the service when a call is given up', async () => {
      const entered = Promise.withResolvers<AbortSignal>();
      const { peer } = await serve({
        servers: {
          refreshTools: (_input, { signal }) => {
            entered.resolve(signal);
            return new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(new Error('stopped'))),
            );
          },
        },
      });
      const giveUp = new AbortController();
      const call = failure(
        peer.client.servers.refreshTools({ id: 's' }, { signal: giveUp.signal }),
      );
      const signal = await entered.promise;
      giveUp.abort();
      await aborted(signal);
      expect(await call).not.toBeNull();
      expect(logged).toEqual([]);
    });

    it('closes the source of an aborted stream, even while it waits for its next event', async () => {
      const { source, push, returned, waiting } = watchedSource();
      const { peer } = await serve({ evaluations: { watch: () => source } });
      const giveUp = new AbortController();
      const events = await peer.client.evaluations.watch({ id: 'e' }, { signal: giveUp.signal });
      push(plannedEvent(1));
      expect((await events.next()).value).toMatchObject({ seq: 1 });
      const pending = failure(events.next());
      await waiting;
      giveUp.abort();
      await returned;
      await pending;
      expect(logged).toEqual([]);
    });

    it('closes the source when the reader breaks out of a stream', async () => {
      const { source, push, returned } = watchedSource();
      const { peer } = await serve({ evaluations: { watch: () => source } });
      push(plannedEvent(1));
      push(plannedEvent(2));
      for await (const event of await peer.client.evaluations.watch({ id: 'e' })) {
        expect(event.seq).toBe(1);
        break;
      }
      await returned;
    });

    it('closes streams, aborts calls and fails pending answers when the peer is lost', async () => {
      const entered = Promise.withResolvers<AbortSignal>();
      const { source, push, returned, waiting } = watchedSource();
      const { peer, transport } = await serve({
        evaluations: { watch: () => source },
        settings: { undo: async ({ token }) => ({ what: token }) },
        servers: {
          refreshTools: (_input, { signal }) => {
            entered.resolve(signal);
            return new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(new Error('stopped'))),
            );
          },
        },
      });
      const events = await peer.client.evaluations.watch({ id: 'e' });
      push(plannedEvent(1));
      await events.next();
      const pending = failure(events.next());
      const call = failure(peer.client.servers.refreshTools({ id: 's' }));
      const signal = await entered.promise;
      await waiting;
      peer.lose();
      await returned;
      await aborted(signal);
      expect(await pending).toBeInstanceOf(Error);
      expect(await call).toBeInstanceOf(Error);
      // The host keeps serving others.
      expect(await (await transport.connect()).client.settings.undo({ token: 'x' })).toEqual({
        what: 'x',
      });
      expect(logged).toEqual([]);
    });

    it('resumes a stream after the last seq and delivers every event once', async () => {
      const sources: ReturnType<typeof watchedSource>[] = [];
      const { peer, transport } = await serve({
        evaluations: {
          watch({ afterSeq }) {
            const watched = watchedSource();
            sources.push(watched);
            for (let seq = afterSeq + 1; seq <= 5; seq += 1) watched.push(plannedEvent(seq));
            return watched.source;
          },
        },
      });
      const seen: number[] = [];
      for await (const { seq } of await peer.client.evaluations.watch({ id: 'e' })) {
        seen.push(seq);
        if (seq === 2) break;
      }
      peer.lose();
      await sources[0]?.returned;
      const again = await transport.connect();
      for await (const { seq } of await again.client.evaluations.watch({
        id: 'e',
        afterSeq: seen.at(-1) ?? 0,
      })) {
        seen.push(seq);
        if (seq === 5) break;
      }
      expect(seen).toEqual([1, 2, 3, 4, 5]);
    });
  });
}

async function collect(
  events: AsyncIterable<EvaluationEvent>,
  into: EvaluationEvent[] = [],
): Promise<number[]> {
  for await (const event of events) into.push(event);
  return into.map(({ seq }) => seq);
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
