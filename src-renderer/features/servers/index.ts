import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';
import type { ServerParts } from './serverParts.ts';

export { ServerHealth } from './ServerHealth.tsx';
export { useCheckAll } from './useCheckAll.ts';
export { ServersWatch } from './ServersWatch.tsx';
export type { ServerParts } from './serverParts.ts';

/** The routes, with the tabs of a server's page that other features draw. */
export const serverRoutes = (parts: ServerParts): RouteObject[] => [
  {
    path: 'tools/import',
    ...lazyPage(async () => (await import('./import/ImportServersPage.tsx')).ImportServersPage),
  },
  {
    path: 'servers/:id',
    ...lazyPage(async () => {
      const { ServerPage } = await import('./ServerPage.tsx');
      return () => createElement(ServerPage, { parts });
    }),
  },
];
