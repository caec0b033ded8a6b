import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { ImportPage } from './ImportPage.tsx';
import { ProposePage } from './ProposePage.tsx';
import { SuitePage } from './SuitePage.tsx';
import { SuitesPage } from './SuitesPage.tsx';

export const suiteRoutes: RouteObject[] = [
  { path: 'suites', element: createElement(SuitesPage) },
  { path: 'suites/import', element: createElement(ImportPage) },
  { path: 'suites/:id/propose', element: createElement(ProposePage) },
  { path: 'suites/:id', element: createElement(SuitePage) },
];
