import { useSyncExternalStore } from 'react';

/** A value outside of React. Components read it with `useStore`. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  /** Calls `listener` after each change. The returned function ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Creates a store. `whileSubscribed` starts what feeds it: it runs with the first subscription, and
 * what it returns runs when the last one ends.
 */
export function createStore<T>(initial: T, whileSubscribed?: () => () => void): Store<T> {
  let value = initial;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      // A copy, because a listener may subscribe or unsubscribe others.
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) stop = whileSubscribed?.();
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

/** The value of a store; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
