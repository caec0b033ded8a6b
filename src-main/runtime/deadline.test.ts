import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DeadlinePassed,
  onAbort,
  rejectAfter,
  unlessAborted,
  waitAtMost,
  withinDeadline,
} from './deadline.ts';

const never = new Promise<never>(() => undefined);
const reason = new Error('The caller gave up.');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A signal that counts its listeners. */
function watchedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  return {
    signal,
    abort: () => controller.abort(reason),
    listeners: () => added.mock.calls.length - removed.mock.calls.length,
  };
}

describe('onAbort', () => {
  it('calls the listener once, and immediately for a signal that is already aborted', () => {
    const { signal, abort } = watchedSignal();
    const listener = vi.fn();
    onAbort(signal, listener);
    expect(listener).not.toHaveBeenCalled();
    abort();
    onAbort(signal, listener);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('does not call a listener that was removed', () => {
    const { signal, abort } = watchedSignal();
    const listener = vi.fn();
    onAbort(signal, listener)();
    abort();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('unlessAborted', () => {
  it('settles like the work and removes its listener', async () => {
    const { signal, listeners } = watchedSignal();
    await expect(unlessAborted(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(unlessAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow(
      'broken',
    );
    expect(listeners()).toBe(0);
  });

  it('rejects with the reason of the abort and ignores how the work ends', async () => {
    const { signal, abort } = watchedSignal();
    const work = Promise.withResolvers<number>();
    const waiting = unlessAborted(work.promise, signal);
    abort();
    await expect(waiting).rejects.toBe(reason);
    work.reject(new Error('too late to be noticed'));
    await expect(unlessAborted(Promise.resolve(7), signal)).rejects.toBe(reason);
  });
});

describe('withinDeadline', () => {
  it('gives the work its time and removes timer and listener', async () => {
    const { signal, listeners } = watchedSignal();
    const work = Promise.withResolvers<string>();
    const waiting = withinDeadline(100, signal, () => work.promise);
    await vi.advanceTimersByTimeAsync(99);
    work.resolve('done');
    await expect(waiting).resolves.toBe('done');
    expect(listeners()).toBe(0);
  });

  it('aborts the work after its time and rejects with DeadlinePassed', async () => {
    const { signal, listeners } = watchedSignal();
    const waiting = withinDeadline(100, signal, (inner) => unlessAborted(never, inner));
    const outcome = expect(waiting).rejects.toEqual(new DeadlinePassed(100));
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
    expect(listeners()).toBe(0);
  });

  it("rejects with the caller's reason, whatever the work made of the abort", async () => {
    const { signal, abort } = watchedSignal();
    const waiting = withinDeadline(
      100,
      signal,
      (inner) =>
        new Promise((_resolve, reject) => onAbort(inner, () => reject(new Error('fetch failed')))),
    );
    abort();
    await expect(waiting).rejects.toBe(reason);
    const work = vi.fn();
    await expect(withinDeadline(100, signal, work)).rejects.toBe(reason);
    expect(work).not.toHaveBeenCalled();
  });

  it('passes on an error of the work that is no abort', async () => {
    const broken = new Error('broken');
    const { signal } = watchedSignal();
    await expect(withinDeadline(100, signal, () => Promise.reject(broken))).rejects.toBe(broken);
  });
});

describe('rejectAfter', () => {
  it('settles like work that is in time', async () => {
    const tooLate = vi.fn(() => new Error('too late'));
    await expect(rejectAfter(100, Promise.resolve(7), tooLate)).resolves.toBe(7);
    expect(tooLate).not.toHaveBeenCalled();
  });

  it('rejects with its own error after its time', async () => {
    const waiting = rejectAfter(100, never, () => new Error('too late'));
    const outcome = expect(waiting).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
  });
});

describe('waitAtMost', () => {
  it('returns when the work is done, or when its time is over', async () => {
    await waitAtMost(100, Promise.resolve());
    const waiting = waitAtMost(100, never);
    await vi.advanceTimersByTimeAsync(100);
    await waiting;
  });

  it('rejects when the work fails in time', async () => {
    await expect(waitAtMost(100, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
