import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export { FixFailures } from './fix/FixFailures.tsx';

export const candidateRoutes: RouteObject[] = [
  {
    path: 'improve',
    ...lazyPage(async () => (await import('./fix/FixesPage.tsx')).FixesPage),
  },
  {
    path: 'tools/:server/:tool/edit',
    ...lazyPage(async () => (await import('./fix/FixPage.tsx')).FixPage),
  },
  {
    path: 'results/searches',
    ...lazyPage(async () => (await import('./optimizer/OptimizerPage.tsx')).OptimizerPage),
  },
  {
    path: 'results/searches/:id',
    ...lazyPage(async () => (await import('./optimizer/OptimizationPage.tsx')).OptimizationPage),
  },
];
