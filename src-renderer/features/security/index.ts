import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const securityRoutes: RouteObject[] = [
  { path: 'security', ...lazyPage(async () => (await import('./SignalsPage.tsx')).SignalsPage) },
  {
    path: 'security/detectors',
    ...lazyPage(async () => (await import('./DetectorsPage.tsx')).DetectorsPage),
  },
  {
    path: 'security/corpora',
    ...lazyPage(async () => (await import('./CorporaPage.tsx')).CorporaPage),
  },
  {
    path: 'security/corpora/:id',
    ...lazyPage(async () => (await import('./CorpusPage.tsx')).CorpusPage),
  },
];
