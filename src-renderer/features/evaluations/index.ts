import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { CasePage } from './case/CasePage.tsx';
import { EvaluationsPage } from './list/EvaluationsPage.tsx';
import { NewEvaluationPage } from './new/NewEvaluationPage.tsx';
import { EvaluationPage } from './result/EvaluationPage.tsx';

export { RecentEvaluations } from './list/RecentEvaluations.tsx';

export const evaluationRoutes: RouteObject[] = [
  { path: 'evaluations', element: createElement(EvaluationsPage) },
  { path: 'evaluations/new', element: createElement(NewEvaluationPage) },
  { path: 'evaluations/:id', element: createElement(EvaluationPage) },
  { path: 'evaluations/:id/runs/:runId', element: createElement(CasePage) },
];
