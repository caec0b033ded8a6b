import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

type LoadPage = () => Promise<ComponentType>;

const notLoaded = new Set<LoadPage>();

/** A page whose code is not part of the first paint. The previous page stays until it is loaded. */
export function lazyPage(load: LoadPage): Pick<RouteObject, 'lazy'> {
  notLoaded.add(load);
  return {
    lazy: async () => {
      const Component = await load();
      notLoaded.delete(load);
      return { Component };
    },
  };
}

/** A page by its address. */
export const page = (path: string, load: LoadPage): RouteObject => ({ path, ...lazyPage(load) });

/**
 * Loads the other pages one by one while the browser is idle, so that opening them needs no wait.
 */
export function loadPagesInIdleTime(): void {
  const [next] = notLoaded;
  if (next === undefined) return;
  notLoaded.delete(next);
  whenIdle(() => {
    // A page that cannot be loaded now reports it when it is opened.
    void next()
      .catch(() => undefined)
      .then(loadPagesInIdleTime);
  });
}

/** Not every browser reports when it is idle; there a short delay must do. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 2_000 });
  else setTimeout(work, 200);
}
