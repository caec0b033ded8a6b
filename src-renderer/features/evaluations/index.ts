import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { ComparePage } from './compare/ComparePage.tsx';
import { MetricsPage } from './metrics/MetricsPage.tsx';
import { TrendPage } from './trend/TrendPage.tsx';
import { WhatIfPage } from './whatIf/WhatIfPage.tsx';
import { CasePage } from './case/CasePage.tsx';
import { EvaluationsPage } from './list/EvaluationsPage.tsx';
import { NewEvaluationPage } from './new/NewEvaluationPage.tsx';
import { EvaluationPage } from './result/EvaluationPage.tsx';

export { RecentEvaluations } from './list/RecentEvaluations.tsx';

export const evaluationRoutes: RouteObject[] = [
  { path: 'evaluations', element: createElement(EvaluationsPage) },
  { path: 'evaluations/new', element: createElement(NewEvaluationPage) },
  { path: 'evaluations/compare', element: createElement(ComparePage) },
  { path: 'evaluations/trend', element: createElement(TrendPage) },
  { path: 'evaluations/metrics', element: createElement(MetricsPage) },
  { path: 'evaluations/:id/what-if', element: createElement(WhatIfPage) },
  { path: 'evaluations/:id', element: createElement(EvaluationPage) },
  { path: 'evaluations/:id/runs/:runId', element: createElement(CasePage) },
];
