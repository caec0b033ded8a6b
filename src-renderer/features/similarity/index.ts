import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { QualityPage } from './QualityPage.tsx';
import { RewritesPage } from './rewrites/RewritesPage.tsx';
import { SimilarityPage } from './SimilarityPage.tsx';

export const similarityRoutes: RouteObject[] = [
  { path: 'similarity', element: createElement(SimilarityPage) },
  { path: 'similarity/quality', element: createElement(QualityPage) },
  { path: 'similarity/rewrites', element: createElement(RewritesPage) },
];
