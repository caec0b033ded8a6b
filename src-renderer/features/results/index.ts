import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export { LastEvaluation } from './list/LastEvaluation.tsx';
/** Loaded after the first paint: most workspaces begin with an evaluation of cases. */
export const LastTaskEvaluation = lazy(async () => ({
  default: (await import('./list/LastTaskEvaluation.tsx')).LastTaskEvaluation,
}));
export { RecentEvaluations } from './list/RecentEvaluations.tsx';

/** Loaded after the first paint, like a page: a new workspace has no trend. */
export const SuiteTrend = lazy(async () => ({
  default: (await import('./trend/SuiteTrend.tsx')).SuiteTrend,
}));

export const resultRoutes: RouteObject[] = [
  {
    path: 'evaluations',
    ...lazyPage(async () => (await import('./list/EvaluationsPage.tsx')).EvaluationsPage),
  },
  {
    path: 'evaluations/new',
    ...lazyPage(async () => (await import('./new/NewEvaluationPage.tsx')).NewEvaluationPage),
  },
  {
    path: 'evaluations/compare',
    ...lazyPage(async () => (await import('./compare/ComparePage.tsx')).ComparePage),
  },
  {
    path: 'evaluations/trend',
    ...lazyPage(async () => (await import('./trend/TrendPage.tsx')).TrendPage),
  },
  {
    path: 'evaluations/metrics',
    ...lazyPage(async () => (await import('./metrics/MetricsPage.tsx')).MetricsPage),
  },
  {
    path: 'improve/what-if',
    ...lazyPage(async () => (await import('./whatIf/WhatIfStartPage.tsx')).WhatIfStartPage),
  },
  {
    path: 'improve/what-if/:id',
    ...lazyPage(async () => (await import('./whatIf/WhatIfPage.tsx')).CaseWhatIfPage),
  },
  {
    path: 'improve/what-if/tasks/:id',
    ...lazyPage(async () => (await import('./whatIf/WhatIfPage.tsx')).TaskWhatIfPage),
  },
  {
    path: 'evaluations/:id',
    ...lazyPage(async () => (await import('./result/case/CaseResultPage.tsx')).CaseResultPage),
  },
  {
    path: 'evaluations/:id/runs/:runId',
    ...lazyPage(async () => (await import('./run/case/CasePage.tsx')).CasePage),
  },
  {
    path: 'evaluations/tasks/:id',
    ...lazyPage(async () => (await import('./result/task/TaskResultPage.tsx')).TaskResultPage),
  },
  {
    path: 'evaluations/tasks/:id/runs/:runId',
    ...lazyPage(async () => (await import('./run/task/TaskRunPage.tsx')).TaskRunPage),
  },
];
