import { useState, type ReactNode, useEffect } from 'react';
import classes from './AppFrame.module.css';
import { CrumbSlot } from './frameContext.ts';
import type { PlaceEntry } from './placeEntry.ts';
import { StatusLine, type StatusLineProps } from './StatusLine.tsx';
import { TopBar, type ThemeChoice } from './TopBar.tsx';
import { Link, useLocation } from 'react-router';

interface AppFrameProps {
  name: string;
  navigation: readonly PlaceEntry[];
  /** Shown below the separator. */
  lowerNavigation: readonly PlaceEntry[];
  theme: ThemeChoice;
  onTheme: (theme: ThemeChoice) => void;
  onPalette: () => void;
  /** At the right end of the top bar: what has to be seen from every screen. */
  watch?: ReactNode;
  status: StatusLineProps;
  /** The address of the rendered screen; the address bar may be ahead of it. */
  screen: string;
  /** Above the screen, over the whole width: a message about all of the program. */
  banner?: ReactNode;
  children: ReactNode;
}

/** The frame of the window: navigation, top bar, one screen that scrolls by itself, status line. */
export function AppFrame(props: AppFrameProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  useCutTitles();
  return (
    <div className={classes.frame}>
      <a
        href="#main"
        className={classes.skip}
        onClick={(event) => {
          // The address belongs to the router; only the focus moves.
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <SideNavigation name={props.name} entries={props.navigation} lower={props.lowerNavigation} />
      <TopBar
        slot={setSlot}
        theme={props.theme}
        onTheme={props.onTheme}
        onPalette={props.onPalette}
        watch={props.watch}
      />
      <main id="main" tabIndex={-1} className={classes.main} data-screen={props.screen}>
        <div className={classes.screen}>
          {props.banner}
          <CrumbSlot value={slot}>{props.children}</CrumbSlot>
        </div>
      </main>
      <StatusLine {...props.status} />
    </div>
  );
}

interface SideNavigationProps {
  name: string;
  entries: readonly PlaceEntry[];
  lower: readonly PlaceEntry[];
}

function SideNavigation({ name, entries, lower }: SideNavigationProps) {
  return (
    <nav aria-label="Main" className={classes.navigation}>
      <div className={classes.brand}>
        <span className={classes.stone} aria-hidden />
        <span className={classes.word}>{name}</span>
      </div>
      <List entries={entries} />
      <div className={classes.lower}>
        <List entries={lower} />
      </div>
    </nav>
  );
}

const isUnder = (path: string, starts: readonly string[]): boolean =>
  starts.some((start) => path === start || (start !== '/' && path.startsWith(`${start}/`)));

function List({ entries }: { entries: readonly PlaceEntry[] }) {
  const { pathname } = useLocation();
  return (
    <ul className={classes.entries}>
      {entries.map(({ label, to, icon: Icon, also = [] }) => (
        <li key={to}>
          <Link
            to={to}
            className={classes.entry}
            title={label}
            {...(isUnder(pathname, [to, ...also]) && { 'aria-current': 'page' as const })}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
            <span className={classes.word}>{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/**
 * Gives text that is cut a title with all of it, when it is pointed at: on every page, for text that
 * has no title of its own, whether a line, a number of lines or a field is too small for it.
 */
function useCutTitles(): void {
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
