import type { RouteObject } from 'react-router';
import { page } from '../../ui/frame/lazyPage.ts';

export const workshopRoutes: RouteObject[] = [
  page('workshop', async () => (await import('./WorkshopPage.tsx')).WorkshopPage),
  page('workshop/new', async () => (await import('./NewToolPage.tsx')).NewToolPage),
  page('workshop/executions', async () => (await import('./ExecutionTable.tsx')).ExecutionsPage),
  page('workshop/:id', async () => (await import('./ToolPage.tsx')).ToolPage),
];
