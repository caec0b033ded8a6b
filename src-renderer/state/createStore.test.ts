import { describe, expect, it, vi } from 'vitest';
import { createStore } from './createStore.ts';

describe('createStore', () => {
  it('calls every listener after a change, until it unsubscribes', () => {
    const store = createStore(1);
    const [first, second] = [vi.fn(), vi.fn()];
    const unsubscribe = store.subscribe(first);
    store.subscribe(second);
    store.set(2);
    unsubscribe();
    store.set(3);
    expect(store.get()).toBe(3);
    expect(first).toHaveBeenCalledTimes(1);
    expect(second).toHaveBeenCalledTimes(2);
  });

  it('calls a listener that another listener unsubscribes during the same change', () => {
    const store = createStore(0);
    const second = vi.fn();
    let unsubscribe = (): void => undefined;
    store.subscribe(() => {
      unsubscribe();
    });
    unsubscribe = store.subscribe(second);
    store.set(1);
    store.set(2);
    expect(second).toHaveBeenCalledTimes(1);
  });

  it('runs its feed only between the first subscription and the last', () => {
    const stop = vi.fn();
    const start = vi.fn(() => stop);
    const store = createStore(0, start);
    expect(start).not.toHaveBeenCalled();
    const [first, second] = [store.subscribe(vi.fn()), store.subscribe(vi.fn())];
    expect(start).toHaveBeenCalledTimes(1);
    first();
    first();
    expect(stop).not.toHaveBeenCalled();
    second();
    expect(stop).toHaveBeenCalledTimes(1);
    store.subscribe(vi.fn());
    expect(start).toHaveBeenCalledTimes(2);
  });
});
