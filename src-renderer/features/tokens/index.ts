import { createElement } from 'react';
import type { RouteObject } from 'react-router';
import { TokensPage } from './TokensPage.tsx';

export const tokenRoutes: RouteObject[] = [{ path: 'tokens', element: createElement(TokensPage) }];
