import { useEffect } from 'react';

/**
 * Gives text that is cut a title with all of it, when it is pointed at: on every page, for text that
 * has no title of its own, whether a line, a number of lines or a field is too small for it.
 */
export function useCutTitles(): void {
  useEffect(() => {
    const given = new WeakSet<Element>();
    const onPoint = ({ target }: PointerEvent): void => {
      for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement) {
        if (at.hasAttribute('title') && !given.has(at)) return;
        if (isCut(at)) {
          const text = at instanceof HTMLInputElement ? at.value : at.textContent;
          at.setAttribute('title', text.trim().slice(0, 2000));
          given.add(at);
          return;
        }
        // The text or the room has changed since.
        if (given.delete(at)) at.removeAttribute('title');
      }
    };
    document.addEventListener('pointerover', onPoint);
    return () => {
      document.removeEventListener('pointerover', onPoint);
    };
  }, []);
}

function isCut(element: Element): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  const tooWide = scrollWidth > clientWidth + 1;
  if (element instanceof HTMLInputElement) return element.readOnly && tooWide;
  if (!tooWide && scrollHeight <= clientHeight + 1) return false;
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (overflowX !== 'hidden' && overflowX !== 'clip') return false;
  if (webkitLineClamp !== 'none') return true;
  return tooWide && (textOverflow === 'ellipsis' || hasOwnText(element));
}

const hasOwnText = ({ childNodes }: Element): boolean =>
  [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '');
