import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export { RecentEvaluations } from './list/RecentEvaluations.tsx';

export const evaluationRoutes: RouteObject[] = [
  {
    path: 'evaluations',
    ...laterPage(async () => (await import('./list/EvaluationsPage.tsx')).EvaluationsPage),
  },
  {
    path: 'evaluations/new',
    ...laterPage(async () => (await import('./new/NewEvaluationPage.tsx')).NewEvaluationPage),
  },
  {
    path: 'evaluations/compare',
    ...laterPage(async () => (await import('./compare/ComparePage.tsx')).ComparePage),
  },
  {
    path: 'evaluations/trend',
    ...laterPage(async () => (await import('./trend/TrendPage.tsx')).TrendPage),
  },
  {
    path: 'evaluations/metrics',
    ...laterPage(async () => (await import('./metrics/MetricsPage.tsx')).MetricsPage),
  },
  {
    path: 'evaluations/:id/what-if',
    ...laterPage(async () => (await import('./whatIf/WhatIfPage.tsx')).WhatIfPage),
  },
  {
    path: 'evaluations/:id',
    ...laterPage(async () => (await import('./result/EvaluationPage.tsx')).EvaluationPage),
  },
  {
    path: 'evaluations/:id/runs/:runId',
    ...laterPage(async () => (await import('./case/CasePage.tsx')).CasePage),
  },
];
