import type { RouteObject } from 'react-router';
import { page } from '../../ui/frame/lazyPage.ts';

export const settingsRoutes: RouteObject[] = [
  page('settings', async () => (await import('./SettingsPage.tsx')).SettingsPage),
];
