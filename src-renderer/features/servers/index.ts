import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export { ServerHealth, ServersWatch } from './ServersWatch.tsx';

export const serverRoutes: RouteObject[] = [
  { path: 'servers', ...laterPage(async () => (await import('./ServersPage.tsx')).ServersPage) },
  {
    path: 'servers/import',
    ...laterPage(async () => (await import('./import/ImportServersPage.tsx')).ImportServersPage),
  },
  { path: 'servers/:id', ...laterPage(async () => (await import('./ServerPage.tsx')).ServerPage) },
];
