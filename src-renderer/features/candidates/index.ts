import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

/** The list of candidates on the page of a tool. */
export const ToolCandidates = lazy(async () => ({
  default: (await import('./fix/Candidates.tsx')).Candidates,
}));

export const candidateRoutes: RouteObject[] = [
  {
    path: 'tools/:server/:tool/edit',
    ...lazyPage(async () => (await import('./fix/FixPage.tsx')).FixPage),
  },
  {
    path: 'results/:id/search',
    ...lazyPage(async () => (await import('./optimizer/SearchPage.tsx')).SearchPage),
  },
  {
    path: 'results/searches/:id',
    ...lazyPage(async () => (await import('./optimizer/OptimizationPage.tsx')).OptimizationPage),
  },
];
