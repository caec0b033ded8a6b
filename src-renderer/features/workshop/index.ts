import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const workshopRoutes: RouteObject[] = [
  { path: 'workshop', ...lazyPage(async () => (await import('./WorkshopPage.tsx')).WorkshopPage) },
  {
    path: 'workshop/new',
    ...lazyPage(async () => (await import('./NewToolPage.tsx')).NewToolPage),
  },
  {
    path: 'workshop/executions',
    ...lazyPage(async () => (await import('./ExecutionsPage.tsx')).ExecutionsPage),
  },
  { path: 'workshop/:id', ...lazyPage(async () => (await import('./ToolPage.tsx')).ToolPage) },
];
