import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

type LoadPage = () => Promise<ComponentType>;

const notYet = new Set<LoadPage>();

/**
 * The page of a route whose code is no part of the first paint. Until it is there the screen before
 * it stays as it is.
 */
export function laterPage(load: LoadPage): Pick<RouteObject, 'lazy'> {
  notYet.add(load);
  return {
    lazy: async () => {
      const Component = await load();
      notYet.delete(load);
      return { Component };
    },
  };
}

/**
 * Brings in the other pages one after the other while nothing else is to be done, so that none is
 * waited for when somebody goes there.
 */
export function loadPagesInIdleTime(): void {
  const [next] = notYet;
  if (next === undefined) return;
  notYet.delete(next);
  whenIdle(() => {
    // What can't be loaded now is told when somebody goes there.
    void next()
      .catch(() => undefined)
      .then(loadPagesInIdleTime);
  });
}

/** Not every browser tells when it is idle; there a moment later must do. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
