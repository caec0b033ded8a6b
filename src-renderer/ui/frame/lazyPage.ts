import type { ComponentType } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';

type LoadPage = () => Promise<ComponentType>;

/** A page whose code is not part of the first paint. The previous page stays until it is loaded. */
export const lazyPage = (load: LoadPage): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: await load() }),
});

export const page = (path: string, load: LoadPage): RouteObject => ({ path, ...lazyPage(load) });

/**
 * Loads the page of a link as soon as somebody points at it or reaches it by keyboard, so that
 * opening it needs no wait. The pages that nobody opens cost nothing.
 */
export function loadPagesAhead(routes: RouteObject[]): void {
  const seen = new Set<string>();
  const load = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
    const address = link?.getAttribute('href')?.slice(1);
    if (address === undefined || seen.has(address)) return;
    seen.add(address);
    for (const { route } of matchRoutes(routes, address) ?? [])
      // A page that cannot be loaded now reports it when it is opened.
      if (typeof route.lazy === 'function') void route.lazy().catch(() => undefined);
  };
  addEventListener('pointerover', load, { passive: true });
  addEventListener('focusin', load, { passive: true });
}
