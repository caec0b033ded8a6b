import { describe, expect, it } from 'vitest';
import type { EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import { EventStream, type StoredEvents } from './eventStream.ts';

const event = (seq: number): EvaluationEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'planned',
  runs: seq,
});

/** An event log in memory, with a runner that is active until `stop` is called. */
function openStream(stored = 0) {
  const log = Array.from({ length: stored }, (_, index) => event(index + 1));
  const runner = { active: true };
  const reads: number[] = [];
  const events: StoredEvents<EvaluationEvent> = {
    after(_id, seq, limit) {
      reads.push(seq);
      return log.slice(seq, seq + limit);
    },
  };
  const stream = new EventStream(events, () => runner.active);
  return {
    stream,
    reads,
    publish: (count = 1) => {
      for (let index = 0; index < count; index += 1) {
        const next = event(log.length + 1);
        log.push(next);
        stream.publish('e', next);
      }
    },
    stop: () => {
      runner.active = false;
      stream.wakeReaders('e');
    },
  };
}

async function take(
  watch: AsyncGenerator<EvaluationEvent, void>,
  count: number,
): Promise<number[]> {
  const seqs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const next = await watch.next();
    if (next.done) break;
    seqs.push(next.value.seq);
  }
  return seqs;
}

async function drain(watch: AsyncIterable<EvaluationEvent>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of watch) seqs.push(seq);
  return seqs;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('EventStream', () => {
  it('delivers stored and newly published events once and in order', async () => {
    const { stream, publish, stop } = openStream(250);
    const watch = stream.watch('e', 0);
    expect(await take(watch, 120)).toEqual(range(1, 120));
    publish(30);
    expect(await take(watch, 160)).toEqual(range(121, 280));
    publish(2);
    expect(await take(watch, 2)).toEqual([281, 282]);
    stop();
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  it('wakes a reader that has caught up without polling the store', async () => {
    const { stream, publish, stop, reads } = openStream(1);
    const watch = stream.watch('e', 1);
    const next = watch.next();
    // The reader is waiting by now.
    await Promise.resolve();
    publish();
    expect(await next).toMatchObject({ value: { seq: 2 } });
    stop();
    await watch.return();
    expect(reads).toEqual([1]);
  });

  it('ends after the last event once the runner has stopped', async () => {
    const { stream, publish, stop } = openStream();
    const watch = stream.watch('e', 0);
    const seqs = drain(watch);
    publish(3);
    await Promise.resolve();
    publish(2);
    stop();
    expect(await seqs).toEqual(range(1, 5));
  });

  it('replays an evaluation that ended earlier and then ends', async () => {
    const { stream, stop } = openStream(5);
    stop();
    expect(await drain(stream.watch('e', 0))).toEqual(range(1, 5));
    expect(await drain(stream.watch('e', 5))).toEqual([]);
  });

  it('cuts off a reader that is 257 events behind, but not one that is 256 behind', async () => {
    const patient = openStream(1);
    const slow = patient.stream.watch('e', 0);
    await slow.next();
    patient.publish(256);
    patient.stop();
    expect(await drain(slow)).toEqual(range(2, 257));

    const { stream, publish, stop } = openStream(1);
    const watch = stream.watch('e', 0);
    await watch.next();
    // The reader still handles event 1 while the backlog fills.
    publish(257);
    await expect(watch.next()).rejects.toMatchObject({
      code: 'LAGGED',
      data: { nextStep: expect.stringContaining('afterSeq 1') },
    });
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    // Nothing is lost: the next watch reads it from the store.
    stop();
    expect(await drain(stream.watch('e', 1))).toEqual(range(2, 258));
  });

  it('isolates readers of the same and of other evaluations from each other', async () => {
    const { stream, publish, stop } = openStream();
    const [slow, quick] = [stream.watch('e', 0), stream.watch('e', 0)];
    const seqs = drain(quick);
    publish();
    await slow.next();
    for (let round = 0; round < 10; round += 1) {
      publish(30);
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.publish('another', event(999));
    stop();
    expect(await seqs).toEqual(range(1, 301));
    await expect(slow.next()).rejects.toMatchObject({ code: 'LAGGED' });
  });

  it('ends a watch as soon as its caller aborts', async () => {
    const { stream, publish } = openStream(1);
    const abort = new AbortController();
    const watch = stream.watch('e', 1, abort.signal);
    const waiting = watch.next();
    abort.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    const late = stream.watch('e', 1, abort.signal);
    expect(await late.next()).toEqual({ done: true, value: undefined });
    publish();
  });

  it('stops reading stored events when its caller aborts', async () => {
    const { stream, reads } = openStream(10_000);
    const abort = new AbortController();
    const seqs: number[] = [];
    for await (const { seq } of stream.watch('e', 0, abort.signal)) {
      seqs.push(seq);
      if (seq === 150) abort.abort();
    }
    expect(seqs.length).toBeLessThan(300);
    // Events are read page by page, so that few more are read than were taken.
    expect(reads.length).toBeLessThan(300 / 8);
  });

  it('releases the reader when its caller breaks out of the loop', async () => {
    const { stream, publish, reads } = openStream(3);
    for await (const { seq } of stream.watch('e', 0)) if (seq === 2) break;
    publish(1_000);
    // A reader that was not released would be cut off; a new one starts with an empty backlog.
    const watch = stream.watch('e', 1_000);
    expect(await take(watch, 3)).toEqual([1_001, 1_002, 1_003]);
    publish();
    expect(await take(watch, 1)).toEqual([1_004]);
    await watch.return();
    expect(reads).toEqual([0, 1_000]);
  });
});
