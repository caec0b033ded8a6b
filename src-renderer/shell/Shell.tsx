import { Group, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, useEffectEvent } from 'react';
import { Outlet, useLocation, NavLink, useNavigate } from 'react-router';
import { Action } from '../ui/fields/Action.tsx';
import { type ConnectionState, useApi, useRead } from '../api/index.ts';
import { ServersWatch, WindowDrop } from '../features/tools/index.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ErrorBoundary } from '../ui/frame/ErrorBoundary.tsx';
import { Notice } from '../ui/notices/Notice.tsx';
import type { StatusTone } from '../ui/badges/StatusBadge.tsx';
import { schemeOf, themeOf } from '../ui/theme/storedTheme.ts';
import type { ThemeChoice } from '../ui/frame/TopBar.tsx';
import { useLastUndo } from '../ui/notices/UndoNotice.tsx';
import { useShortcut } from '../ui/keyboard/useShortcut.ts';
import { placeOf, places } from './places.ts';
import { useRunningEvaluation } from './useRunningEvaluation.ts';
import classes from '../ui/frame/PlaceTabs.module.css';
import type { PlaceEntry } from '../ui/frame/placeEntry.ts';
import { type HostAction, readHostCommand } from '../../src-shared/domain/hostCommand.ts';

// The palette and the sheet are not part of the first paint, nor is what dialogs need.
const loadPalette = () => import('./palette/Palette.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const ShortcutSheet = lazy(async () => ({
  default: (await import('../ui/keyboard/ShortcutSheet.tsx')).ShortcutSheet,
}));

// Settings are below the other places.
const navigation = places.filter(({ to }) => to !== '/settings');
const lowerNavigation = places.filter(({ to }) => to === '/settings');

const connections: Record<ConnectionState, { tone: StatusTone; label: string }> = {
  connecting: { tone: 'busy', label: 'Connecting' },
  open: { tone: 'good', label: 'Connected' },
  lost: { tone: 'warning', label: 'Connection lost, trying again' },
  refused: { tone: 'bad', label: 'Signed out' },
};

/** The frame of the window, with everything that is on every screen. */
export function Shell() {
  const { client, queries, connection, signIn } = useApi();
  const cache = useQueryClient();
  const location = useLocation();
  const place = placeOf(location.pathname);
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  /** Null until it is opened first. */
  const [sheet, setSheet] = useState<boolean | null>(null);
  const [isPaletteUsed, setPaletteUsed] = useState(false);
  const openPalette = (): void => {
    setPaletteUsed(true);
    void loadPalette().then((palette) => palette.openPalette());
  };
  const info = useRead(queries.settings.info);
  const settings = useRead(queries.settings.get);
  const running = useRunningEvaluation();
  const undo = useLastUndo();

  const saved = settings.data?.theme;
  useEffect(() => {
    if (saved !== undefined) setColorScheme(schemeOf(saved));
  }, [saved, setColorScheme]);
  const saveTheme = useMutation({
    mutationFn: (theme: ThemeChoice) => client.settings.update({ theme }),
    onSuccess: (next) => cache.setQueryData(queries.settings.get.queryKey(), next),
  });
  const changeTheme = (theme: ThemeChoice): void => {
    setColorScheme(schemeOf(theme));
    saveTheme.mutate(theme);
  };
  const openSheet = (): void => setSheet(true);
  useShortcut('?', openSheet, 'Keyboard shortcuts', { group: 'Everywhere' });
  useShortcut('mod+k', openPalette, 'Command palette', { group: 'Everywhere' });
  useShortcut('mod+z', () => undo?.run(), 'Undo the last deletion', {
    group: 'Everywhere',
    enabled: undo !== null,
  });
  useHostCommands({ palette: openPalette, shortcuts: openSheet, undo: () => undo?.run() });
  return (
    <>
      <AppFrame
        name="Touchstone"
        navigation={navigation}
        lowerNavigation={lowerNavigation}
        theme={themeOf(colorScheme)}
        onTheme={changeTheme}
        onPalette={openPalette}
        watch={<ServersWatch />}
        screen={location.pathname}
        status={{
          workspace: info.data?.folder ?? '',
          connection: connections[connection],
          running,
        }}
        banner={
          connection === 'refused' || info.data?.readOnly === true || info.data?.damage != null ? (
            <Banner
              onSignIn={connection === 'refused' ? signIn : null}
              damage={info.data?.damage ?? null}
            />
          ) : null
        }
      >
        {place !== null && <PlaceTabs place={place} />}
        <ErrorBoundary resetKey={location.pathname}>
          <Outlet />
        </ErrorBoundary>
      </AppFrame>
      <WindowDrop />
      {isPaletteUsed && (
        <Suspense fallback={null}>
          <Palette onTheme={changeTheme} onSheet={openSheet} undo={undo} />
        </Suspense>
      )}
      {sheet !== null && (
        <Suspense fallback={null}>
          <ShortcutSheet opened={sheet} onClose={() => setSheet(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Signed out, or without an `onSignIn` a workspace that can only be read. */
function Banner({ onSignIn, damage }: { onSignIn: (() => void) | null; damage: string | null }) {
  return (
    <div style={{ marginBottom: 16 }}>
      <Notice tone="warning">
        {onSignIn === null ? (
          (damage ??
          'This workspace is open read-only: its disk is full, or its folder can’t be written to. Free some space or allow writing, then start Touchstone again.')
        ) : (
          <Group justify="space-between" gap="sm">
            <div style={{ flex: '1 1 320px' }}>
              This tab is signed out, and no other tab of this browser is signed in. Press Enter in
              the terminal where Touchstone runs, and open the link that it prints. This tab then
              continues by itself.
            </div>
            <Action label="Get a new link" size="xs" onClick={onSignIn} />
          </Group>
        )}
      </Notice>
    </div>
  );
}

/** The tabs of a place. Each is a link, so that it can be opened in a tab of the browser. */
function PlaceTabs({ place }: { place: PlaceEntry }) {
  return (
    <nav aria-label={`${place.label} pages`} className={classes.tabs}>
      {place.tabs.map(({ label, to }) => (
        <NavLink key={to} to={to} end className={classes.tab}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}

/**
 * Performs the commands of the Electron menu. Only messages from this page are read, where the
 * preload script posts them.
 */
function useHostCommands(acts: Readonly<Record<HostAction, () => void>>): void {
  const navigate = useNavigate();
  const receive = useEffectEvent((event: MessageEvent) => {
    const command = event.source === window ? readHostCommand(event.data) : null;
    if (command === null) return;
    if (command.kind === 'act') acts[command.act]();
    else void navigate(command.to);
  });
  useEffect(() => {
    const listener = (event: MessageEvent): void => receive(event);
    window.addEventListener('message', listener);
    return () => {
      window.removeEventListener('message', listener);
    };
  }, []);
}
