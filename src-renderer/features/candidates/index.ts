import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { page } from '../../ui/frame/lazyPage.ts';

export const ToolCandidates = lazy(async () => ({
  default: (await import('./fix/Candidates.tsx')).Candidates,
}));

export const candidateRoutes: RouteObject[] = [
  page('tools/:server/:tool/edit', async () => (await import('./fix/FixPage.tsx')).FixPage),
  page('results/:id/search', async () => (await import('./optimizer/SearchPage.tsx')).SearchPage),
  page(
    'results/searches/:id',
    async () => (await import('./optimizer/OptimizationPage.tsx')).OptimizationPage,
  ),
];
