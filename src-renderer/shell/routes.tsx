import { createHashRouter, Navigate, useRouteError } from 'react-router';
import { candidateRoutes, ToolCandidates } from '../features/candidates/index.ts';
import {
  resultRoutes,
  LastResult,
  RecentEvaluations,
  SuiteTrend,
} from '../features/results/index.ts';
import { OverviewPage } from '../features/overview/index.ts';
import { retrievalRoutes } from '../features/retrieval/index.ts';
import { securityRoutes } from '../features/security/index.ts';
import { settingsRoutes } from '../features/settings/index.ts';
import { suiteRoutes } from '../features/suites/index.ts';
import { KnownTools, OverviewServers, toolRoutes } from '../features/tools/index.ts';
import { workshopRoutes } from '../features/workshop/index.ts';
import { NotFound } from '../ui/frame/NotFound.tsx';
import { Shell } from './Shell.tsx';
import { Crashed } from '../ui/frame/ErrorBoundary.tsx';

/**
 * The routes of all features. Parts of one screen that come from another feature are put together
 * here. The first paint needs only the overview.
 */
export function createRouter(): ReturnType<typeof createHashRouter> {
  return createHashRouter([
    {
      element: <Shell />,
      // The page of a bookmark loads in milliseconds; a placeholder would only flicker.
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: FailedScreen,
          children: [
            {
              index: true,
              element: (
                <OverviewPage
                  known={<KnownTools />}
                  servers={<OverviewServers />}
                  LastResult={LastResult}
                  RecentEvaluations={RecentEvaluations}
                />
              ),
            },
            ...toolRoutes({ Candidates: ToolCandidates }),
            ...suiteRoutes({ SuiteTrend }),
            ...resultRoutes,
            ...candidateRoutes,
            ...retrievalRoutes,
            ...securityRoutes,
            ...workshopRoutes,
            ...settingsRoutes,
            { path: 'labs', element: <Navigate replace to="/labs/retrieval" /> },
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ]);
}

/**
 * Replaces a screen that fails to render, or whose code cannot be loaded, for example after an
 * update under an open window. Reloading the page helps.
 */
function FailedScreen() {
  return <Crashed error={useRouteError()} onRetry={() => window.location.reload()} />;
}
