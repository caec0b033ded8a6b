import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const similarityRoutes: RouteObject[] = [
  {
    path: 'tools/similar',
    ...lazyPage(async () => (await import('./SimilarityPage.tsx')).SimilarityPage),
  },
  {
    path: 'tools/quality',
    ...lazyPage(async () => (await import('./QualityPage.tsx')).QualityPage),
  },
  {
    path: 'improve/proofs',
    ...lazyPage(async () => (await import('./rewrites/RewritesPage.tsx')).RewritesPage),
  },
];
