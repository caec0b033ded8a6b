import type { RouteObject } from 'react-router';
import { page } from '../../ui/frame/lazyPage.ts';

export const retrievalRoutes: RouteObject[] = [
  page('labs/retrieval', async () => (await import('./RetrievalPage.tsx')).RetrievalPage),
  page('labs/retrieval/golden/:version', async () => (await import('./GoldenPage.tsx')).GoldenPage),
];
