import { ActionIcon, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { PlainText, TextParts } from '../text/Foreign.tsx';
import { visibleText } from '../text/visibleText.ts';
import classes from './SidePanel.module.css';
import { useEscape } from '../keyboard/useEscape.ts';

interface SidePanelProps {
  title: ReactNode;
  /** A line below the title. */
  subtitle?: ReactNode;
  onClose: () => void;
  /** Stays in view below the scrolling body. */
  footer?: ReactNode;
  /** Changes with the content: the body then starts at its top again. */
  contentKey?: string;
  /** False keeps the focus in the list, for panels that follow the list's cursor. */
  takeFocus?: boolean;
  children: ReactNode;
}

/** Details next to the list that they belong to. Escape closes the panel and returns the focus. */
export function SidePanel(props: SidePanelProps) {
  const { title, subtitle, onClose, footer, contentKey, takeFocus = true, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useSpaceBelow();
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useEscape(onClose);

  useEffect(() => {
    const before = document.activeElement;
    const own = panel.current;
    if (takeFocus && own?.contains(before) !== true)
      heading.current?.focus({ preventScroll: true });
    return () => {
      const focused = document.activeElement;
      const lost = focused === null || focused === document.body || own?.contains(focused) === true;
      if (lost && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
    // The panel takes and returns the focus once, even if its content changes.
  }, [panel, takeFocus]);

  useEffect(() => {
    body.current?.scrollTo({ top: 0 });
  }, [contentKey]);

  return (
    <aside ref={panel} className={classes.panel} aria-labelledby={id}>
      <header className={classes.head}>
        <div className={classes.titles}>
          <h2
            id={id}
            ref={heading}
            tabIndex={-1}
            className={classes.title}
            dir="auto"
            // At most three lines are shown.
            title={typeof title === 'string' ? visibleText(title) : undefined}
          >
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

/** The status line, and the room that a screen has at its end. */
const lowerEdge = 28 + 24;

/**
 * Keeps the footer of the panel in view: the panel is as high as the space below its top, at any
 * scroll position.
 */
function useSpaceBelow(): RefObject<HTMLElement | null> {
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
    // Scroll events do not bubble; capturing them works for every part of the page.
    window.addEventListener('scroll', fit, true);
    window.addEventListener('resize', fit);
    // What stands above the panel can grow after it has opened.
    const above = new ResizeObserver(fit);
    const screen = panel.current?.closest('main')?.firstElementChild;
    if (screen != null) above.observe(screen);
    return () => {
      above.disconnect();
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
  /** Leaves more room for what the panel belongs to. */
  narrow?: boolean;
}

/** A list and its panel side by side; in a narrow window the panel covers the list. */
export function WithPanel({ children, panel, narrow = false }: WithPanelProps) {
  const open = panel !== null && panel !== undefined && panel !== false;
  return (
    <div className={classes.split} data-open={open} data-narrow={narrow}>
      <div className={classes.list}>{children}</div>
      {panel}
    </div>
  );
}
