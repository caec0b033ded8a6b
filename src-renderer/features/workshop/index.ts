import { createElement, lazy, Suspense, type ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { LoadingSkeleton } from '../../ui/LoadingSkeleton.tsx';
import { WorkshopPage } from './WorkshopPage.tsx';

// The code editor is loaded when a tool is opened, not when the program starts.
const NewToolPage = lazy(async () => ({ default: (await import('./NewToolPage.tsx')).NewToolPage }));
const ToolPage = lazy(async () => ({ default: (await import('./ToolPage.tsx')).ToolPage }));
const ExecutionsPage = lazy(async () => ({ default: (await import('./ExecutionsPage.tsx')).ExecutionsPage }));

const later = (page: ReactNode): ReactNode => createElement(Suspense, { fallback: createElement(LoadingSkeleton, { blocks: [32, 320] }) }, page);

export const workshopRoutes: RouteObject[] = [
  { path: 'workshop', element: createElement(WorkshopPage) },
  { path: 'workshop/new', element: later(createElement(NewToolPage)) },
  { path: 'workshop/executions', element: later(createElement(ExecutionsPage)) },
  { path: 'workshop/:id', element: later(createElement(ToolPage)) },
];
