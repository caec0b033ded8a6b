import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { Client } from './connect.ts';
import { ConnectionLost } from './connection.ts';
import { watchEvaluation } from './watchEvaluation.ts';

const e = { unit: 'case', id: 'e' } as const;
const event = (seq: number): EvaluationEvent => ({
  seq,
  at: '2026-01-02T03:04:05.678Z',
  type: 'planned',
  runs: seq,
});

/** A core that answers each call with the events of one round and then its end. */
function core(rounds: { events: number[]; end?: unknown; hangs?: boolean }[]) {
  const asked: number[] = [];
  const hanging = Promise.withResolvers<void>();
  const watch = async (
    { afterSeq = 0 }: { id: string; afterSeq?: number },
    { signal }: { signal: AbortSignal },
  ) => {
    asked.push(afterSeq);
    const round = rounds[asked.length - 1];
    if (round === undefined) throw new Error('asked too often');
    return (async function* () {
      for (const seq of round.events) yield event(seq);
      if (round.hangs === true) {
        hanging.resolve();
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      }
      if (round.end !== undefined) throw round.end as Error;
    })();
  };
  return {
    asked,
    hanging: hanging.promise,
    client: { evaluations: { watch } } as unknown as Client,
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function watch(client: Client, afterSeq = 0): Promise<number[]> {
  const seen: number[] = [];
  const watching = watchEvaluation(
    client,
    e,
    afterSeq,
    ({ seq }) => void seen.push(seq),
    new AbortController().signal,
  );
  await Promise.all([watching, vi.runAllTimersAsync()]);
  return seen;
}

it.each([
  ['a lost connection', new ConnectionLost('gone')],
  ['a reader that fell behind', new ORPCError('LAGGED')],
])(
  'after %s it continues after the last event, with no gap and no duplicate',
  async (_what, end) => {
    const { asked, client } = core([
      { events: [1, 2], end },
      { events: [], end },
      { events: [2, 3, 4] },
    ]);
    expect(await watch(client)).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([0, 2, 2]);
  },
);

it('starts after the given event', async () => {
  const { asked, client } = core([{ events: [8] }]);
  expect(await watch(client, 7)).toEqual([8]);
  expect(asked).toEqual([7]);
});

it('throws any other error without trying again', async () => {
  const { asked, client } = core([{ events: [1], end: new ORPCError('NOT_FOUND') }]);
  await expect(
    watchEvaluation(client, e, 0, () => undefined, new AbortController().signal),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(asked).toHaveLength(1);
});

it('returns when its signal aborts, in a waiting stream and in a pause', async () => {
  const inStream = new AbortController();
  const waiting = core([{ events: [1], hangs: true }]);
  const ended = watchEvaluation(waiting.client, e, 0, () => undefined, inStream.signal);
  await waiting.hanging;
  inStream.abort();
  await ended;
  const inPause = new AbortController();
  const lost = core([{ events: [], end: new ConnectionLost('gone') }]);
  const watching = watchEvaluation(lost.client, e, 0, () => undefined, inPause.signal);
  await vi.advanceTimersByTimeAsync(10);
  inPause.abort();
  await watching;
  expect(lost.asked).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('passes on no event after its signal aborted', async () => {
  const enough = new AbortController();
  const seen: number[] = [];
  const { client } = core([{ events: [1, 2, 3] }]);
  await watchEvaluation(
    client,
    e,
    0,
    ({ seq }) => {
      seen.push(seq);
      enough.abort();
    },
    enough.signal,
  );
  expect(seen).toEqual([1]);
});
