import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const similarityRoutes: RouteObject[] = [
  {
    path: 'similarity',
    ...laterPage(async () => (await import('./SimilarityPage.tsx')).SimilarityPage),
  },
  {
    path: 'similarity/quality',
    ...laterPage(async () => (await import('./QualityPage.tsx')).QualityPage),
  },
  {
    path: 'similarity/rewrites',
    ...laterPage(async () => (await import('./rewrites/RewritesPage.tsx')).RewritesPage),
  },
];
