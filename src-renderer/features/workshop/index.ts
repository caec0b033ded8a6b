import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const workshopRoutes: RouteObject[] = [
  { path: 'workshop', ...laterPage(async () => (await import('./WorkshopPage.tsx')).WorkshopPage) },
  {
    path: 'workshop/new',
    ...laterPage(async () => (await import('./NewToolPage.tsx')).NewToolPage),
  },
  {
    path: 'workshop/executions',
    ...laterPage(async () => (await import('./ExecutionsPage.tsx')).ExecutionsPage),
  },
  { path: 'workshop/:id', ...laterPage(async () => (await import('./ToolPage.tsx')).ToolPage) },
];
