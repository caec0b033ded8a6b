import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export { useCheckAll } from './useCheckAll.ts';
export { WindowDrop } from './import/WindowDrop.tsx';
export { ServersWatch } from './ServersWatch.tsx';

export const serverRoutes: RouteObject[] = [
  {
    path: 'tools/import',
    ...lazyPage(async () => (await import('./import/ImportServersPage.tsx')).ImportServersPage),
  },
  {
    path: 'servers/:id',
    ...lazyPage(async () => (await import('./ServerPage.tsx')).ServerPage),
  },
];
