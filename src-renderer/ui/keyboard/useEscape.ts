import { useEffect, useRef } from 'react';
import { dialogIsOpen } from './dialogIsOpen.ts';

/** Open things from the outermost to the innermost: Esc closes the last one only. */
const open: { close: () => void }[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const target = event.target;
  // A list or menu that hangs open, or what floats above the page, is further in and closes itself.
  if (
    target instanceof Element &&
    (target.getAttribute('aria-expanded') === 'true' || target.closest('[data-portal]') !== null)
  )
    return;
  // A search field empties itself first.
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return;
  if (dialogIsOpen()) return;
  const innermost = open.at(-1);
  if (innermost === undefined) return;
  event.preventDefault();
  innermost.close();
}

/**
 * To be called before anything is drawn: a dialog that closes at once (where motion is reduced)
 * must still be there when this looks, or one Esc would close two things. Listeners are called in
 * the order in which they were added.
 */
export function listenForEscape(): void {
  window.addEventListener('keydown', onKey, true);
}

/** Closes this thing on Esc while it is open and nothing further in is. */
export function useEscape(close: () => void, isOpen = true): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOpen) return;
    const entry = {
      close: () => {
        latest.current();
      },
    };
    open.push(entry);
    return () => {
      open.splice(open.indexOf(entry), 1);
    };
  }, [isOpen]);
}
