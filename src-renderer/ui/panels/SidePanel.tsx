import { ActionIcon, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { PlainText, TextParts } from '../text/PlainText.tsx';
import classes from './SidePanel.module.css';
import { useEscape } from '../keyboard/useEscape.ts';

interface SidePanelProps {
  title: ReactNode;
  /** A line under the title. */
  subtitle?: ReactNode;
  onClose: () => void;
  /** Stays in view under the scrolling body. */
  footer?: ReactNode;
  /** Changes when another thing is shown in the same panel: the body starts at its top again. */
  contentKey?: string;
  /** False keeps the focus in the list, for panels that follow the list's cursor. */
  takeFocus?: boolean;
  children: ReactNode;
}

/**
 * Details beside the list that they belong to. Esc closes it and the focus goes back to where it
 * came from.
 */
export function SidePanel({
  title,
  subtitle,
  onClose,
  footer,
  contentKey,
  takeFocus = true,
  children,
}: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRoomBelow();
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useEscape(onClose);

  useEffect(() => {
    const before = document.activeElement;
    const own = panel.current;
    if (takeFocus && own?.contains(before) !== true)
      heading.current?.focus({ preventScroll: true });
    return () => {
      const now = document.activeElement;
      const lost = now === null || now === document.body || own?.contains(now) === true;
      if (lost && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
    // The panel takes and gives back the focus once, however its content changes.
  }, [panel, takeFocus]);

  useEffect(() => {
    body.current?.scrollTo({ top: 0 });
  }, [contentKey]);

  return (
    <aside ref={panel} className={classes.panel} aria-labelledby={id}>
      <header className={classes.head}>
        <div className={classes.titles}>
          <h2 id={id} ref={heading} tabIndex={-1} className={classes.title} dir="auto">
            {typeof title === 'string' ? <TextParts text={title} /> : title}
          </h2>
          {subtitle !== undefined && (
            <div className={classes.subtitle}>
              {typeof subtitle === 'string' ? <PlainText text={subtitle} /> : subtitle}
            </div>
          )}
        </div>
        <Tooltip label="Close (Esc)">
          <ActionIcon variant="subtle" color="gray" aria-label="Close panel" onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.body} ref={body}>
        {children}
      </div>
      {footer !== undefined && <footer className={classes.foot}>{footer}</footer>}
    </aside>
  );
}

const lowerEdge = 28 + 16;

/**
 * Keeps the panel's foot in view: it is as high as there is room below its top, wherever the page
 * is scrolled to.
 */
function useRoomBelow(): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const fit = (): void => {
      const element = panel.current;
      if (element === null) return;
      const fixed = getComputedStyle(element).position === 'fixed';
      element.style.maxHeight = fixed
        ? ''
        : `${Math.max(240, window.innerHeight - element.getBoundingClientRect().top - lowerEdge)}px`;
    };
    fit();
    // Scrolling does not bubble, hence the capture: whichever part of the page scrolls.
    window.addEventListener('scroll', fit, true);
    window.addEventListener('resize', fit);
    return () => {
      window.removeEventListener('scroll', fit, true);
      window.removeEventListener('resize', fit);
    };
  }, []);
  return panel;
}

interface WithPanelProps {
  children: ReactNode;
  /** The open panel, or null. */
  panel: ReactNode;
}

/** Lays a list and its panel side by side; in a narrow window the panel lies over the list. */
export function WithPanel({ children, panel }: WithPanelProps) {
  const open = panel !== null && panel !== undefined && panel !== false;
  return (
    <div className={classes.split} data-open={open}>
      <div className={classes.list}>{children}</div>
      {panel}
    </div>
  );
}
