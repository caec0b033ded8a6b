import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

/** A tab of a server's page. */
export const ServerTokens = lazy(async () => ({
  default: (await import('./ServerTokens.tsx')).ServerTokens,
}));

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
