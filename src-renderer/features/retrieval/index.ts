import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const retrievalRoutes: RouteObject[] = [
  {
    path: 'labs/retrieval',
    ...lazyPage(async () => (await import('./RetrievalPage.tsx')).RetrievalPage),
  },
  {
    path: 'labs/retrieval/golden/:version',
    ...lazyPage(async () => (await import('./GoldenPage.tsx')).GoldenPage),
  },
];
