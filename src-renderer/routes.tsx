import { createHashRouter } from 'react-router';
import { evaluationRoutes, RecentEvaluations } from './features/evaluations/index.ts';
import { OverviewPage } from './features/overview/index.ts';
import { retrievalRoutes } from './features/retrieval/index.ts';
import { securityRoutes } from './features/security/index.ts';
import { ServerHealth, serverRoutes } from './features/servers/index.ts';
import { settingsRoutes } from './features/settings/index.ts';
import { similarityRoutes } from './features/similarity/index.ts';
import { suiteRoutes } from './features/suites/index.ts';
import { tokenRoutes } from './features/tokens/index.ts';
import { workshopRoutes } from './features/workshop/index.ts';
import { LostPage } from './ui/frame/LostPage.tsx';
import { NotFound } from './ui/frame/NotFound.tsx';
import { Shell } from './Shell.tsx';

/**
 * Where what one sees in one screen is made by another feature, it is put together here. The first
 * paint needs the overview alone.
 */
export function createRouter(): ReturnType<typeof createHashRouter> {
  return createHashRouter([
    {
      element: <Shell />,
      // A bookmark's page is there in milliseconds; a frame that is drawn twice would only flicker.
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: LostPage,
          children: [
            {
              index: true,
              element: (
                <OverviewPage
                  serverHealth={<ServerHealth />}
                  recentEvaluations={<RecentEvaluations />}
                />
              ),
            },
            ...serverRoutes,
            ...suiteRoutes,
            ...evaluationRoutes,
            ...similarityRoutes,
            ...retrievalRoutes,
            ...tokenRoutes,
            ...securityRoutes,
            ...workshopRoutes,
            ...settingsRoutes,
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ]);
}
