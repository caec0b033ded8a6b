import type { RouteObject } from 'react-router';
import { page } from '../../ui/frame/lazyPage.ts';

export const securityRoutes: RouteObject[] = [
  page('labs/detectors', async () => (await import('./DetectorsPage.tsx')).DetectorsPage),
  page('labs/detectors/corpora', async () => (await import('./CorporaPage.tsx')).CorporaPage),
  page('labs/detectors/corpora/:id', async () => (await import('./CorpusPage.tsx')).CorpusPage),
];
