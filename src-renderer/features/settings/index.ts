import type { RouteObject } from 'react-router';
import { laterPage } from '../../ui/frame/laterPage.ts';

export const settingsRoutes: RouteObject[] = [
  { path: 'settings', ...laterPage(async () => (await import('./SettingsPage.tsx')).SettingsPage) },
];
