import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

export const settingsRoutes: RouteObject[] = [
  { path: 'settings', ...lazyPage(async () => (await import('./SettingsPage.tsx')).SettingsPage) },
];
