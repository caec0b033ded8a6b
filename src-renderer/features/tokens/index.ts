import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const tokenRoutes: RouteObject[] = [
  { path: 'tokens', ...laterPage(async () => (await import('./TokensPage.tsx')).TokensPage) },
];
