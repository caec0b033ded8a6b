import { createHashRouter } from 'react-router';
import { evaluationRoutes, RecentEvaluations } from './features/evaluations/index.ts';
import { OverviewPage } from './features/overview/index.ts';
import { retrievalRoutes } from './features/retrieval/index.ts';
import { securityRoutes } from './features/security/index.ts';
import { ServerHealth, serverRoutes } from './features/servers/index.ts';
import { SettingsPage } from './features/settings/index.ts';
import { similarityRoutes } from './features/similarity/index.ts';
import { suiteRoutes } from './features/suites/index.ts';
import { tokenRoutes } from './features/tokens/index.ts';
import { workshopRoutes } from './features/workshop/index.ts';
import { NotFound } from './ui/NotFound.tsx';
import { Shell } from './Shell.tsx';

/** Where what one sees in one screen is made by another feature, it is put together here. */
export function createRouter(): ReturnType<typeof createHashRouter> {
  return createHashRouter([
    {
      element: <Shell />,
      children: [
        { index: true, element: <OverviewPage serverHealth={<ServerHealth />} recentEvaluations={<RecentEvaluations />} /> },
        ...serverRoutes,
        ...suiteRoutes,
        ...evaluationRoutes,
        ...similarityRoutes,
        ...retrievalRoutes,
        ...tokenRoutes,
        ...securityRoutes,
        ...workshopRoutes,
        { path: 'settings', element: <SettingsPage /> },
        { path: '*', element: <NotFound /> },
      ],
    },
  ]);
}
