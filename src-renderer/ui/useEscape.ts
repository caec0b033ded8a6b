import { useEffect, useRef } from 'react';

/** Open things from the outermost to the innermost: Esc closes the last one only. */
const open: { close: () => void }[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const target = event.target;
  // A list or menu that hangs open, or what floats above the page, is further in and closes itself.
  if (target instanceof Element && (target.getAttribute('aria-expanded') === 'true' || target.closest('[data-portal]') !== null)) return;
  // A search field empties itself first.
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return;
  if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
  const innermost = open.at(-1);
  if (innermost === undefined) return;
  event.preventDefault();
  innermost.close();
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
    if (open.length === 1) document.addEventListener('keydown', onKey, true);
    return () => {
      open.splice(open.indexOf(entry), 1);
      if (open.length === 0) document.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen]);
}
