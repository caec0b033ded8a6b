import { Group } from '@mantine/core';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { Action } from '../fields/controls.tsx';
import { MoreActions } from '../fields/choices.tsx';
import { BelowHeader, CrumbSlot } from './frameContext.ts';
import classes from './PageHeader.module.css';
import { describeError } from '../notices/describeError.ts';
import { Loaded, type Query } from '../notices/notices.tsx';
import { PlainText, TextParts, firstCharacters, visibleText } from '../text/Foreign.tsx';

export interface Crumb {
  label: string;
  to?: string;
}

interface PageHeaderProps {
  /** From the outermost page to this one. */
  crumbs: Crumb[];
  title: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** The one action that leads on, after the others. */
  primary?: ReactNode;
  /** Less frequent actions behind three dots, as `Menu.Item`s. */
  more?: ReactNode;
}

/**
 * Title and actions of a screen. Its breadcrumbs go to the top bar, and its name to the title of
 * the window.
 */
export function PageHeader({ crumbs, title, subtitle, actions, primary, more }: PageHeaderProps) {
  const slot = useContext(CrumbSlot);
  const below = useContext(BelowHeader);
  const firstScreen = useLocation().key === 'default';
  const heading = useRef<HTMLHeadingElement>(null);
  const titles = crumbs.map((crumb) => visibleText(firstCharacters(crumb.label, 60)));
  const windowTitle = [...titles.reverse(), 'Touchstone'].join(' · ');

  useEffect(() => {
    document.title = windowTitle;
    // If the focused element is gone, the title of the new screen takes the focus, so that the
    // keyboard works from there.
    if (!firstScreen && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, [windowTitle, firstScreen]);

  return (
    <>
      <header className={classes.header}>
        {slot !== null && createPortal(<Breadcrumbs crumbs={crumbs} />, slot)}
        <div className={classes.titles}>
          <h1 ref={heading} tabIndex={-1} className={classes.title} dir="auto">
            {typeof title === 'string' ? <TextParts text={title} /> : title}
          </h1>
          {subtitle !== undefined && (
            <div className={classes.subtitle}>
              {typeof subtitle === 'string' ? <PlainText text={subtitle} /> : subtitle}
            </div>
          )}
        </div>
        {(actions ?? primary ?? more) !== undefined && (
          <Group gap="sm" className={classes.actions}>
            {actions}
            {primary}
            {more !== undefined && more !== false && <MoreActions>{more}</MoreActions>}
          </Group>
        )}
      </header>
      {below}
    </>
  );
}

interface LoadedPageProps<Data> {
  /** What leads to the thing, and what it is called until it is loaded. */
  crumbs: Crumb[];
  query: Query<Data>;
  /** Heights of the blocks of the placeholder. */
  blocks: number[];
  children: (data: Data) => ReactNode;
}

/**
 * The page of one thing. It has its heading from the start; if the thing doesn't exist, it leads to
 * where the others are.
 */
export function LoadedPage<Data>({ crumbs, query, blocks, children }: LoadedPageProps<Data>) {
  const title = crumbs.at(-1)?.label ?? '';
  const parent = crumbs.findLast(({ to }) => to !== undefined);
  const isMissing = query.data === undefined && describeError(query.error).code === 'NOT_FOUND';
  return (
    <>
      {query.data === undefined && <PageHeader crumbs={crumbs} title={title} />}
      <Loaded query={query} blocks={blocks} label={`Loading ${title}`}>
        {children}
      </Loaded>
      {isMissing && parent?.to !== undefined && (
        <Action label={`Open ${parent.label.toLowerCase()}`} filled to={parent.to} />
      )}
    </>
  );
}

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.crumbs}>
      <ol>
        {crumbs.map((crumb, index) => {
          const isCurrent = index === crumbs.length - 1;
          const text = firstCharacters(crumb.label, 120);
          return (
            <li key={`${index} ${text}`}>
              {crumb.to === undefined || isCurrent ? (
                <span
                  className="ts-cut"
                  title={visibleText(text)}
                  {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
                >
                  <TextParts text={text} />
                </span>
              ) : (
                <Link to={crumb.to} className="ts-cut" title={visibleText(text)}>
                  <TextParts text={text} />
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
