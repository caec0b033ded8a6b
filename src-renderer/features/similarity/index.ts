import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const similarityRoutes: RouteObject[] = [
  {
    path: 'similarity',
    ...lazyPage(async () => (await import('./SimilarityPage.tsx')).SimilarityPage),
  },
  {
    path: 'similarity/quality',
    ...lazyPage(async () => (await import('./QualityPage.tsx')).QualityPage),
  },
  {
    path: 'similarity/rewrites',
    ...lazyPage(async () => (await import('./rewrites/RewritesPage.tsx')).RewritesPage),
  },
];
