import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';
import type { TrendOfSuite } from './SuiteTop.tsx';

/** The trend of a suite comes from the results. */
export const suiteRoutes = ({ SuiteTrend }: { SuiteTrend: TrendOfSuite }): RouteObject[] => [
  { path: 'suites', ...lazyPage(async () => (await import('./SuitesPage.tsx')).SuitesPage) },
  {
    path: 'suites/import',
    ...lazyPage(async () => (await import('./ImportPage.tsx')).ImportPage),
  },
  {
    path: 'suites/propose',
    ...lazyPage(async () => (await import('./ProposeForPage.tsx')).ProposeForPage),
  },
  {
    path: 'suites/for-tool/:id',
    ...lazyPage(async () => (await import('./ToolCasesPage.tsx')).ToolCasesPage),
  },
  {
    path: 'suites/:id/propose',
    ...lazyPage(async () => (await import('./ProposePage.tsx')).ProposePage),
  },
  {
    path: 'suites/:id',
    ...lazyPage(async () => {
      const { SuitePage } = await import('./SuitePage.tsx');
      return () => createElement(SuitePage, { Trend: SuiteTrend });
    }),
  },
];
