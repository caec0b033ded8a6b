import { describe, expect, it } from 'vitest';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import { EventStream, type StoredEvents } from './eventStream.ts';

const event = (seq: number): EvaluationEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'planned',
  runs: seq,
});

/** A log in memory, with a runner that is at work until it is told to stop. */
function openStream(stored = 0) {
  const log = Array.from({ length: stored }, (_, index) => event(index + 1));
  const runner = { active: true };
  const reads: number[] = [];
  const events: StoredEvents = {
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
      stream.settle('e');
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
  it('what is stored and what is published meanwhile would come twice, out of order, or not at all', async () => {
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

  it('a reader that has caught up would ask the store over and over, or miss the event that wakes it', async () => {
    const { stream, publish, stop, reads } = openStream(1);
    const watch = stream.watch('e', 1);
    const next = watch.next();
    // The reader sleeps by now.
    await Promise.resolve();
    publish();
    expect(await next).toMatchObject({ value: { seq: 2 } });
    stop();
    await watch.return();
    expect(reads).toEqual([1]);
  });

  it('would end before the last event is read, or never, after the runner has stopped', async () => {
    const { stream, publish, stop } = openStream();
    const watch = stream.watch('e', 0);
    const seqs = drain(watch);
    publish(3);
    await Promise.resolve();
    publish(2);
    stop();
    expect(await seqs).toEqual(range(1, 5));
  });

  it('an evaluation that ended long ago would not be told, or not end', async () => {
    const { stream, stop } = openStream(5);
    stop();
    expect(await drain(stream.watch('e', 0))).toEqual(range(1, 5));
    expect(await drain(stream.watch('e', 5))).toEqual([]);
  });

  it('a reader that falls 257 events behind would hold them in memory for ever; one that is 256 behind would be cut off', async () => {
    const patient = openStream(1);
    const slow = patient.stream.watch('e', 0);
    await slow.next();
    patient.publish(256);
    patient.stop();
    expect(await drain(slow)).toEqual(range(2, 257));

    const { stream, publish, stop } = openStream(1);
    const watch = stream.watch('e', 0);
    await watch.next();
    // It is looking at event 1 while the backlog fills.
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

  it('one slow reader would cut off the others, or another evaluation wake them', async () => {
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

  it('a caller that gives up would leave a reader behind, or wait for the next event', async () => {
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

  it('a caller that gives up while the stored events are read would get all of them first', async () => {
    const { stream, reads } = openStream(10_000);
    const abort = new AbortController();
    const seqs: number[] = [];
    for await (const { seq } of stream.watch('e', 0, abort.signal)) {
      seqs.push(seq);
      if (seq === 150) abort.abort();
    }
    expect(seqs.length).toBeLessThan(300);
    // Page by page: of 10,000 events hardly more are read than were wanted.
    expect(reads.length).toBeLessThan(300 / 8);
  });

  it('breaking out of a watch would keep its reader: every event would go on into its backlog', async () => {
    const { stream, publish, reads } = openStream(3);
    for await (const { seq } of stream.watch('e', 0)) if (seq === 2) break;
    publish(1_000);
    // A reader that was kept would be cut off; a new one starts with nothing behind it.
    const watch = stream.watch('e', 1_000);
    expect(await take(watch, 3)).toEqual([1_001, 1_002, 1_003]);
    publish();
    expect(await take(watch, 1)).toEqual([1_004]);
    await watch.return();
    expect(reads).toEqual([0, 1_000]);
  });
});
