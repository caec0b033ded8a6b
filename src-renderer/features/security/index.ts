import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

/** Loaded after the first paint, like a page: it isn't needed for it. */
export const OpenSignals = lazy(async () => ({
  default: (await import('./OpenSignals.tsx')).OpenSignals,
}));

export const signalRoutes: RouteObject[] = [
  {
    path: 'tools/signals',
    ...lazyPage(async () => (await import('./SignalsPage.tsx')).SignalsPage),
  },
];

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
