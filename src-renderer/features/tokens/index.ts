import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const tokenViews: RouteObject[] = [
  {
    path: 'tools/tokens',
    ...lazyPage(async () => (await import('./TokensPage.tsx')).TokensPage),
  },
];

export const tokenRoutes: RouteObject[] = [
  {
    path: 'labs/accuracy-vs-tokens',
    ...lazyPage(async () => (await import('./AccuracyPage.tsx')).AccuracyPage),
  },
];
