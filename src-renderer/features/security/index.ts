import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const securityRoutes: RouteObject[] = [
  {
    path: 'labs/detectors',
    ...lazyPage(async () => (await import('./DetectorsPage.tsx')).DetectorsPage),
  },
  {
    path: 'labs/detectors/corpora',
    ...lazyPage(async () => (await import('./CorporaPage.tsx')).CorporaPage),
  },
  {
    path: 'labs/detectors/corpora/:id',
    ...lazyPage(async () => (await import('./CorpusPage.tsx')).CorpusPage),
  },
];
