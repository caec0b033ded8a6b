import { isMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { ThemeChoice } from '../frame/TopBar.tsx';

/** Where the page stores its theme, so that the next start has it before the core answers. */
export const themeStorageKey = 'touchstone.theme';

export const schemeOf = (theme: ThemeChoice): MantineColorScheme =>
  theme === 'system' ? 'auto' : theme;
export const themeOf = (scheme: MantineColorScheme): ThemeChoice =>
  scheme === 'auto' ? 'system' : scheme;

/** Sets the theme before the first paint. */
export function applyStoredTheme(): void {
  const stored = localStorage.getItem(themeStorageKey);
  const scheme = isMantineColorScheme(stored) ? stored : 'auto';
  const dark =
    scheme === 'auto'
      ? window.matchMedia('(prefers-color-scheme: dark)').matches
      : scheme === 'dark';
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}
