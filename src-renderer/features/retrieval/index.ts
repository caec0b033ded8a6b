import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const retrievalRoutes: RouteObject[] = [
  {
    path: 'retrieval',
    ...lazyPage(async () => (await import('./RetrievalPage.tsx')).RetrievalPage),
  },
  {
    path: 'retrieval/golden/:version',
    ...lazyPage(async () => (await import('./GoldenPage.tsx')).GoldenPage),
  },
];
