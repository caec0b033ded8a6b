import { useEffect, useRef } from 'react';
import { dialogIsOpen } from './dialogIsOpen.ts';

/** What is open, from the outermost to the innermost: Escape closes only the last one. */
const open: { close: () => void }[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const target = event.target;
  // An open list, menu or popover is further inside and closes itself.
  if (
    target instanceof Element &&
    (target.getAttribute('aria-expanded') === 'true' || target.closest('[data-portal]') !== null)
  )
    return;
  // The definition of a focused term closes itself.
  if (target instanceof Element && target.matches('[data-term][aria-describedby]')) return;
  // A search field clears itself first.
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return;
  if (dialogIsOpen()) return;
  const innermost = open.at(-1);
  if (innermost === undefined) return;
  event.preventDefault();
  innermost.close();
}

/**
 * Call this before anything renders. Listeners run in the order in which they were added, and a
 * dialog that closes at once (with reduced motion) must still be open when this one runs, or one
 * Escape would close two things.
 */
export function listenForEscape(): void {
  window.addEventListener('keydown', onKey, true);
}

/** Closes a component on Escape while it is the innermost one that is open. */
export function useEscape(close: () => void, isOpen = true): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOpen) return;
    const entry = { close: () => latest.current() };
    open.push(entry);
    return () => {
      open.splice(open.indexOf(entry), 1);
    };
  }, [isOpen]);
}
