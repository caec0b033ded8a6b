import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { page } from '../../ui/frame/lazyPage.ts';
import type { TrendOfSuite } from './SuiteTop.tsx';

/** The trend of a suite comes from the results. */
export const suiteRoutes = ({ SuiteTrend }: { SuiteTrend: TrendOfSuite }): RouteObject[] => [
  page('suites', async () => (await import('./SuitesPage.tsx')).SuitesPage),
  page('suites/import', async () => (await import('./ImportCases.tsx')).ImportPage),
  page('suites/propose', async () => (await import('./ProposeForPage.tsx')).ProposeForPage),
  page('suites/for-tool/:id', async () => (await import('./ToolCasesPage.tsx')).ToolCasesPage),
  page('suites/sessions', async () => (await import('./SessionsPage.tsx')).SessionsPage),
  page('suites/:id/propose', async () => (await import('./ProposeCases.tsx')).ProposePage),
  page('suites/:id', async () => {
    const { SuitePage } = await import('./SuitePage.tsx');
    return () => createElement(SuitePage, { Trend: SuiteTrend });
  }),
];
