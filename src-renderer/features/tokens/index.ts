import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const tokenRoutes: RouteObject[] = [
  {
    path: 'tools/tokens',
    ...lazyPage(async () => (await import('./TokensPage.tsx')).TokensPage),
  },
  {
    path: 'labs/accuracy-vs-tokens',
    ...lazyPage(async () => (await import('./AccuracyPage.tsx')).AccuracyPage),
  },
];
