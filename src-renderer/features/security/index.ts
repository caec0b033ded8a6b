import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const securityRoutes: RouteObject[] = [
  { path: 'security', ...laterPage(async () => (await import('./SignalsPage.tsx')).SignalsPage) },
  {
    path: 'security/detectors',
    ...laterPage(async () => (await import('./DetectorsPage.tsx')).DetectorsPage),
  },
  {
    path: 'security/corpora',
    ...laterPage(async () => (await import('./CorporaPage.tsx')).CorporaPage),
  },
  {
    path: 'security/corpora/:id',
    ...laterPage(async () => (await import('./CorpusPage.tsx')).CorpusPage),
  },
];
