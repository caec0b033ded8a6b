import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../../ui/frame/lazyPage.ts';
import type { ToolParts } from './ToolPage.tsx';

/** The page of a tool, with what another feature draws on it. */
export const toolPageRoutes = (parts: ToolParts): RouteObject[] => [
  {
    path: 'tools/:server/:tool',
    ...lazyPage(async () => {
      const { ToolPage } = await import('./ToolPage.tsx');
      return () => createElement(ToolPage, { parts });
    }),
  },
];
