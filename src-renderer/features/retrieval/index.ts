import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const retrievalRoutes: RouteObject[] = [
  {
    path: 'retrieval',
    ...laterPage(async () => (await import('./RetrievalPage.tsx')).RetrievalPage),
  },
  {
    path: 'retrieval/golden/:version',
    ...laterPage(async () => (await import('./GoldenPage.tsx')).GoldenPage),
  },
];
