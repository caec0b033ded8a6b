import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const suiteRoutes: RouteObject[] = [
  { path: 'suites', ...laterPage(async () => (await import('./SuitesPage.tsx')).SuitesPage) },
  {
    path: 'suites/import',
    ...laterPage(async () => (await import('./ImportPage.tsx')).ImportPage),
  },
  {
    path: 'suites/:id/propose',
    ...laterPage(async () => (await import('./ProposePage.tsx')).ProposePage),
  },
  { path: 'suites/:id', ...laterPage(async () => (await import('./SuitePage.tsx')).SuitePage) },
];
