import { Group, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, useEffectEvent, useRef } from 'react';
import { Outlet, useLocation, NavLink, useNavigate } from 'react-router';
import { Action } from '../ui/fields/controls.tsx';
import { type ConnectionState, useApi, useRead, whileRunning } from '../api/index.ts';
import { ServersWatch, WindowDrop } from '../features/tools/index.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ErrorBoundary } from '../ui/frame/ErrorBoundary.tsx';
import { Notice, useAct, useLastUndo } from '../ui/notices/notices.tsx';
import type { StatusTone } from '../ui/badges/StatusBadge.tsx';
import { schemeOf, themeOf } from '../ui/theme/storedTheme.ts';
import type { ThemeChoice } from '../ui/frame/TopBar.tsx';
import { useShortcut } from '../ui/keyboard/useShortcut.ts';
import { placeOf, places } from './places.ts';
import classes from '../ui/frame/PlaceTabs.module.css';
import type { PlaceEntry } from '../ui/frame/placeEntry.ts';
import { type HostAction, readHostCommand } from '../../src-shared/domain/hostCommand.ts';
import type { Evaluation } from '../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type { TaskEvaluation } from '../../src-shared/domain/taskEvaluation.ts';
import { hasEnded, type EvaluationState } from '../../src-shared/domain/evaluationState.ts';
import type { RunningWork } from '../ui/frame/StatusLine.tsx';
import { percentDone } from '../ui/progress/progressWords.ts';

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
  open: { tone: 'good', label: 'Ready' },
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
  // A large workspace is checked behind the first screen.
  const info = useRead((ask) => ask.settings.info, { refetchInterval: 15_000 });
  const settings = useRead((ask) => ask.settings.get);
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

const quickMs = 500;
const slowMs = 15_000;

/**
 * The newest running evaluation of cases or of tasks, for the status line. Polls often while one
 * runs and rarely otherwise, because the command line may start one.
 */
function useRunningEvaluation(): RunningWork | null {
  const { client, queries, reread } = useApi();
  const list = useRead((ask) => ask.evaluations.list, {
    input: { limit: 20 },
    refetchInterval: whileRunning(quickMs, slowMs),
  });
  const tasks = useRead((ask) => ask.evaluations.list, {
    input: { unit: 'task', limit: 20 },
    refetchInterval: whileRunning(quickMs, slowMs),
  });
  useEvaluationChanges(list.data, tasks.data);
  const cancel = useAct(
    async ({ unit, id }: { unit: EvaluationUnit; id: string }) => {
      await client.evaluations.cancel({ unit, id });
    },
    { onSettled: () => reread(queries.evaluations) },
  );
  const ofCases = newestRunning(list.data);
  const ofTasks = newestRunning(tasks.data);
  const running = ofCases ?? ofTasks;
  if (running === null) return null;
  const { total, open } = ofCases?.counts ?? taskProgress(ofTasks);
  return {
    label: `#${running.number} ${running.suiteName}`,
    to: `/results/${running.id}`,
    percent: running.state === 'planned' ? null : percentDone({ done: total - open, total }),
    cancelling: cancel.isPending,
    onCancel: () => cancel.mutate({ unit: ofCases === null ? 'task' : 'case', id: running.id }),
  };
}

function taskProgress(evaluation: TaskEvaluation | null): { total: number; open: number } {
  const outcomes = Object.values(evaluation?.outcomes ?? {});
  return {
    total: outcomes.reduce((sum, count) => sum + count, 0),
    open: evaluation?.outcomes.not_run ?? 0,
  };
}

function newestRunning<One extends Pick<Evaluation, 'state'>>(
  list: readonly One[] | undefined,
): One | null {
  return list?.find((evaluation) => !hasEnded(evaluation.state)) ?? null;
}

interface Listed {
  id: string;
  state: EvaluationState;
}

/** Which evaluations there are, and how those that ended did. */
const stateOf = (list: readonly Listed[]): string =>
  list.map(({ id, state }) => `${id} ${hasEnded(state) ? state : 'open'}`).join('\n');

/**
 * Reads what pages show of evaluations again when one is added, resumed or deleted or ends, because
 * another program, such as the command line, tells no page.
 */
function useEvaluationChanges(
  cases: readonly Listed[] | undefined,
  tasks: readonly Listed[] | undefined,
): void {
  const { queries } = useApi();
  const cache = useQueryClient();
  const known = useRef<string | null>(null);
  const now = cases && tasks ? `${stateOf(cases)}\n\n${stateOf(tasks)}` : null;
  useEffect(() => {
    if (now === null || now === known.current) return;
    const isFirst = known.current === null;
    known.current = now;
    if (isFirst) return;
    for (const queryKey of [
      queries.evaluations.list.key(),
      queries.evaluations.get.key(),
      queries.evaluations.report.key(),
      queries.results.key(),
      queries.candidates.key(),
      queries.suites.list.key(),
      queries.tools.key(),
      queries.tokens.toolUse.key(),
    ])
      void cache.invalidateQueries({ queryKey });
  }, [now, cache, queries]);
}
