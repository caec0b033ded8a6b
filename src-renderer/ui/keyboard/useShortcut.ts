import { useEffect, useRef, useSyncExternalStore } from 'react';
import { matchesKeys } from './shortcutKeys.ts';

export interface Shortcut {
  keys: string;
  label: string;
  /** The heading that it stands under in the sheet. */
  group: string;
}
interface Registered extends Shortcut {
  run: () => void;
}

/** The shortcuts of what is on the screen now; the last one registered wins. */
let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Registered[]): void {
  registered = next;
  for (const tell of listeners) tell();
}

const storageKey = 'touchstone.single-key-shortcuts';

/** Single keys can be switched off, for people who speak or whose hands tremble. */
export function singleKeysEnabled(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function setSingleKeys(enabled: boolean): void {
  if (enabled) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
  change([...registered]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const wanted = registered.findLast((shortcut) => matchesKeys(shortcut.keys, event));
  if (wanted === undefined) return;
  const single = !wanted.keys.startsWith('mod+');
  if (single && (isTyping(event.target) || !singleKeysEnabled())) return;
  if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
  event.preventDefault();
  wanted.run();
}

interface Options {
  enabled?: boolean;
  group?: string;
}

/**
 * Runs `action` on `keys` while the component is shown, and lists it in the sheet that `?` opens.
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
    const entry: Registered = {
      keys,
      label,
      group,
      run: () => {
        latest.current();
      },
    };
    if (registered.length === 0) document.addEventListener('keydown', onKey);
    change([...registered, entry]);
    return () => {
      change(registered.filter((other) => other !== entry));
      if (registered.length === 0) document.removeEventListener('keydown', onKey);
    };
  }, [keys, label, group, enabled]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => registered);
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, singleKeysEnabled);
}
