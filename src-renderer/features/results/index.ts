import { createElement, lazy, type ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { lazyPage, page } from '../../ui/frame/lazyPage.ts';

// Parts of the overview are loaded after the first paint: a new workspace has no result.
export const LastResult = lazy(async () => ({
  default: (await import('./list/LastResult.tsx')).LastResult,
}));
export const RecentEvaluations = lazy(async () => ({
  default: (await import('./list/RecentEvaluations.tsx')).RecentEvaluations,
}));

export const SuiteTrend = lazy(async () => ({
  default: (await import('./trend/SuiteTrend.tsx')).SuiteTrend,
}));

/** The page of a result, of a run or of an estimate: the unit of the evaluation says which. */
const pageOfUnit = (pages: Readonly<Record<EvaluationUnit, () => Promise<ComponentType>>>) =>
  lazyPage(async () => {
    const { PageOfUnit } = await import('./PageOfUnit.tsx');
    const parts = { case: lazyPart(pages.case), task: lazyPart(pages.task) };
    return () => createElement(PageOfUnit, { pages: parts });
  });

const lazyPart = (load: () => Promise<ComponentType>) =>
  lazy(async () => ({ default: await load() }));

export const resultRoutes: RouteObject[] = [
  page('results', async () => (await import('./list/ResultsPage.tsx')).ResultsPage),
  page('results/new', async () => (await import('./new/NewEvaluationPage.tsx')).NewEvaluationPage),
  page('results/numbers', async () => (await import('./metrics/MetricsPage.tsx')).MetricsPage),
  ...['results/last', 'results/last/estimate', 'results/last/search'].map((path) =>
    page(path, async () => (await import('./LastResultPage.tsx')).LastResultPage),
  ),
  page('results/:id/estimate', async () => (await import('./whatIf/WhatIfPage.tsx')).WhatIfPage),
  {
    path: 'results/:id',
    ...pageOfUnit({
      case: async () => (await import('./result/case/CaseResultPage.tsx')).CaseResultPage,
      task: async () => (await import('./result/task/TaskResultPage.tsx')).TaskResultPage,
    }),
  },
  {
    path: 'results/:id/runs/:runId',
    ...pageOfUnit({
      case: async () => (await import('./run/case/CasePage.tsx')).CasePage,
      task: async () => (await import('./run/task/TaskRunPage.tsx')).TaskRunPage,
    }),
  },
];
