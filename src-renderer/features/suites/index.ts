import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const suiteRoutes: RouteObject[] = [
  { path: 'suites', ...lazyPage(async () => (await import('./SuitesPage.tsx')).SuitesPage) },
  {
    path: 'suites/import',
    ...lazyPage(async () => (await import('./ImportPage.tsx')).ImportPage),
  },
  {
    path: 'suites/propose',
    ...lazyPage(async () => (await import('./ProposeForPage.tsx')).ProposeForPage),
  },
  {
    path: 'suites/for-tool/:id',
    ...lazyPage(async () => (await import('./ToolCasesPage.tsx')).ToolCasesPage),
  },
  {
    path: 'suites/:id/propose',
    ...lazyPage(async () => (await import('./ProposePage.tsx')).ProposePage),
  },
  { path: 'suites/:id', ...lazyPage(async () => (await import('./SuitePage.tsx')).SuitePage) },
];
