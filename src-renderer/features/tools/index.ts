import { createElement, lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';
import type { ToolParts } from './tool/ToolPage.tsx';

export { OverviewServers } from './known/OverviewServers.tsx';
export { ServersWatch } from './server/ServersWatch.tsx';
export { useCheckAll } from './server/useCheckAll.ts';
export { WindowDrop } from './import/WindowDrop.tsx';

/** Loaded after the first paint, which needs no texts of signals. */
export const KnownTools = lazy(async () => ({
  default: (await import('./known/KnownTools.tsx')).KnownTools,
}));

/** The table of all tools, its other views in one frame, and the pages of a tool and of a server. */
export const toolRoutes = (parts: ToolParts): RouteObject[] => [
  { path: 'tools', ...lazyPage(async () => (await import('./table/ToolsPage.tsx')).ToolsPage) },
  {
    ...lazyPage(async () => (await import('./table/ToolViews.tsx')).ToolViews),
    children: [
      {
        path: 'tools/similar',
        ...lazyPage(async () => (await import('./similar/SimilarityPage.tsx')).SimilarityPage),
      },
      {
        path: 'tools/tokens',
        ...lazyPage(async () => (await import('./tokens/TokensPage.tsx')).TokensPage),
      },
      {
        path: 'tools/signals',
        ...lazyPage(async () => (await import('./signals/SignalsPage.tsx')).SignalsPage),
      },
    ],
  },
  {
    path: 'tools/import',
    ...lazyPage(async () => (await import('./import/ImportServersPage.tsx')).ImportServersPage),
  },
  {
    path: 'tools/:server/:tool',
    ...lazyPage(async () => {
      const { ToolPage } = await import('./tool/ToolPage.tsx');
      return () => createElement(ToolPage, { parts });
    }),
  },
  {
    path: 'servers/:id',
    ...lazyPage(async () => (await import('./server/ServerPage.tsx')).ServerPage),
  },
  {
    path: 'labs/accuracy-vs-tokens',
    ...lazyPage(async () => (await import('./tokens/AccuracyPage.tsx')).AccuracyPage),
  },
];
