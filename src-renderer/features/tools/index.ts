import { lazy } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

// Loaded after the first paint, which needs no texts of signals.
export const OverviewServers = lazy(async () => ({
  default: (await import('./known/OverviewServers.tsx')).OverviewServers,
}));
export const KnownTools = lazy(async () => ({
  default: (await import('./known/KnownTools.tsx')).KnownTools,
}));

/** The table of all tools, and the frame of its other views, which other features draw. */
export const toolRoutes = (views: readonly RouteObject[]): RouteObject[] => [
  { path: 'tools', ...lazyPage(async () => (await import('./table/ToolsPage.tsx')).ToolsPage) },
  {
    ...lazyPage(async () => (await import('./table/ToolViews.tsx')).ToolViews),
    children: [...views],
  },
];
