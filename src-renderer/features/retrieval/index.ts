import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { GoldenPage } from './GoldenPage.tsx';
import { RetrievalPage } from './RetrievalPage.tsx';

export const retrievalRoutes: RouteObject[] = [
  { path: 'retrieval', element: createElement(RetrievalPage) },
  { path: 'retrieval/golden/:version', element: createElement(GoldenPage) },
];
