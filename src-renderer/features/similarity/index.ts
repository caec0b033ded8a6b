import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const similarityRoutes: RouteObject[] = [
  {
    path: 'tools/similar',
    ...lazyPage(async () => (await import('./SimilarityPage.tsx')).SimilarityPage),
  },
];
