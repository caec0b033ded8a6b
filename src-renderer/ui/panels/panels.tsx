import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconChevronRight, IconX } from '@tabler/icons-react';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useEscape } from '../keyboard/useEscape.ts';
import { PlainText, TextParts, visibleText } from '../text/Foreign.tsx';
import fold from './Fold.module.css';
import list from './RowList.module.css';
import section from './Section.module.css';
import side from './SidePanel.module.css';
import titled from './TitledPanel.module.css';

interface SectionProps {
  title: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={section.section}>
      <Group justify="space-between" className={section.head} gap="sm">
        <PlainText as="h2" id={id} className={section.title} text={title} />
        {aside}
      </Group>
      {children}
    </section>
  );
}

interface TitledPanelProps {
  title?: ReactNode;
  /** Its name where it shows none, or a sentence that changes. */
  label?: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A panel, with its title in it: one of several parts of a screen that stand side by side. */
export function TitledPanel({ title, label, aside, children }: TitledPanelProps) {
  const id = useId();
  return (
    <section
      className={`ts-panel ${titled.panel ?? ''}`}
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
    >
      {title !== undefined && (
        <div className={titled.head}>
          <h2 id={id}>{typeof title === 'string' ? <PlainText text={title} /> : title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

interface FoldProps {
  title: ReactNode;
  /** One line that says what is inside; it is cut at the end of the space. */
  hint?: ReactNode;
  /** True opens it, also later; false leaves it as the person has it. */
  openFirst?: boolean;
  children: ReactNode;
}

/** A part of a panel that shows one line until it is opened. Its content is rendered when open. */
export function Fold({ title, hint, openFirst = false, children }: FoldProps) {
  const [open, setOpen] = useState(openFirst);
  const [wasFirst, setWasFirst] = useState(openFirst);
  if (openFirst !== wasFirst) {
    setWasFirst(openFirst);
    if (openFirst) setOpen(true);
  }
  return (
    <details
      className={fold.fold}
      open={open}
      onToggle={(event) => {
        // The event of a fold inside this one bubbles up in React.
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <IconChevronRight size={14} stroke={2.2} aria-hidden className={fold.chevron} />
        <span className={fold.title}>{title}</span>
        {hint !== undefined && <span className={fold.hint}>{hint}</span>}
      </summary>
      {open && <div className={fold.body}>{children}</div>}
    </details>
  );
}

/** A framed list whose entries have text on the left and actions on the right. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={`ts-panel ${list.list ?? ''}`} aria-label={label}>
      {children}
    </ul>
  );
}

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
    <aside ref={panel} className={side.panel} aria-labelledby={id}>
      <header className={side.head}>
        <div className={side.titles}>
          <h2
            id={id}
            ref={heading}
            tabIndex={-1}
            className={side.title}
            dir="auto"
            // At most three lines are shown.
            title={typeof title === 'string' ? visibleText(title) : undefined}
          >
            {typeof title === 'string' ? <TextParts text={title} /> : title}
          </h2>
          {subtitle !== undefined && (
            <div className={side.subtitle}>
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
      <div className={side.body} ref={body}>
        {children}
      </div>
      {footer !== undefined && <footer className={side.foot}>{footer}</footer>}
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
    <div className={side.split} data-open={open} data-narrow={narrow}>
      <div className={side.list}>{children}</div>
      {panel}
    </div>
  );
}
