import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { CorpusPage } from './CorpusPage.tsx';
import { CorporaPage } from './CorporaPage.tsx';
import { DetectorsPage } from './DetectorsPage.tsx';
import { SignalsPage } from './SignalsPage.tsx';

export const securityRoutes: RouteObject[] = [
  { path: 'security', element: createElement(SignalsPage) },
  { path: 'security/detectors', element: createElement(DetectorsPage) },
  { path: 'security/corpora', element: createElement(CorporaPage) },
  { path: 'security/corpora/:id', element: createElement(CorpusPage) },
];
