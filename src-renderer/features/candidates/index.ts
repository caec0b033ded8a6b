import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export { FixFailures } from './fix/FixFailures.tsx';

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
