import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const tokenRoutes: RouteObject[] = [
  { path: 'tokens', ...lazyPage(async () => (await import('./TokensPage.tsx')).TokensPage) },
];
