import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createStore, useStore } from '../../state/createStore.ts';
import { matchesKeys } from './shortcutKeys.ts';

export interface Shortcut {
  keys: string;
  label: string;
  /** The heading of its group in the list of shortcuts. */
  group: string;
}
interface Registered extends Shortcut {
  run: () => void;
}

/** The shortcuts of the components on the screen; the last one registered wins. */
const registered = createStore<readonly Registered[]>([]);

const storageKey = 'touchstone.single-key-shortcuts';

/**
 * Single-key shortcuts can be switched off, for people who use speech input or press keys by
 * accident.
 */
function singleKeysEnabled(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function setSingleKeys(enabled: boolean): void {
  if (enabled) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
  // Components that show this setting subscribe to the list of shortcuts.
  registered.set([...registered.get()]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const shortcut = registered.get().findLast(({ keys }) => matchesKeys(keys, event));
  if (shortcut === undefined) return;
  const single = !shortcut.keys.startsWith('mod+');
  if (single && (isTyping(event.target) || !singleKeysEnabled())) return;
  if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
  event.preventDefault();
  shortcut.run();
}

interface Options {
  enabled?: boolean;
  group?: string;
}

/**
 * Runs `action` on `keys` while the component is rendered, and adds it to the list that `?` opens.
 */
export function useShortcut(
  keys: string,
  action: () => void,
  label: string,
  options: Options = {},
): void {
  const { enabled = true, group = 'This screen' } = options;
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (!enabled) return;
    const entry: Registered = { keys, label, group, run: () => latest.current() };
    if (registered.get().length === 0) document.addEventListener('keydown', onKey);
    registered.set([...registered.get(), entry]);
    return () => {
      registered.set(registered.get().filter((other) => other !== entry));
      if (registered.get().length === 0) document.removeEventListener('keydown', onKey);
    };
  }, [keys, label, group, enabled]);
}

export function useShortcuts(): readonly Shortcut[] {
  return useStore(registered);
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(registered.subscribe, singleKeysEnabled);
}
