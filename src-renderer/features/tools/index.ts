import { createElement, lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage, page } from '../../ui/frame/lazyPage.ts';
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
  page('tools', async () => (await import('./table/ToolsPage.tsx')).ToolsPage),
  {
    ...lazyPage(async () => (await import('./table/ViewSwitch.tsx')).ToolViews),
    children: [
      page(
        'tools/similar',
        async () => (await import('./similar/SimilarityPage.tsx')).SimilarityPage,
      ),
      page('tools/tokens', async () => (await import('./tokens/TokensPage.tsx')).TokensPage),
      page('tools/clients', async () => (await import('./clients/ClientsPage.tsx')).ClientsPage),
      page('tools/signals', async () => (await import('./signals/SignalsPage.tsx')).SignalsPage),
    ],
  },
  page(
    'tools/import',
    async () => (await import('./import/ImportServersPage.tsx')).ImportServersPage,
  ),
  page('tools/:server/:tool', async () => {
    const { ToolPage } = await import('./tool/ToolPage.tsx');
    return () => createElement(ToolPage, { parts });
  }),
  page('servers/:id', async () => (await import('./server/ServerPage.tsx')).ServerPage),
  page(
    'labs/accuracy-vs-tokens',
    async () => (await import('./tokens/AccuracyPage.tsx')).AccuracyPage,
  ),
];
