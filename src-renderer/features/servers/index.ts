import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { ImportServersPage } from './import/ImportServersPage.tsx';
import { ServerPage } from './ServerPage.tsx';
import { ServersPage } from './ServersPage.tsx';

export { ServerHealth, ServersWatch } from './ServersWatch.tsx';

export const serverRoutes: RouteObject[] = [
  { path: 'servers', element: createElement(ServersPage) },
  { path: 'servers/import', element: createElement(ImportServersPage) },
  { path: 'servers/:id', element: createElement(ServerPage) },
];
