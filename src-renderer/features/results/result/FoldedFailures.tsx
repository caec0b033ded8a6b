import { IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { PlainText, visibleText } from '../../../ui/text/Foreign.tsx';
import classes from './case/failures.module.css';

interface FoldedFailuresProps {
  /** What the failures have in common; null: they point to no single tool. */
  name: string | null;
  /** The whole name, where the shown one is a part of it. */
  title?: string;
  /** True for a sentence, which is no name of a tool. */
  isText?: boolean;
  count: string;
  openFirst: boolean;
  /** What fixes the tool. */
  action?: ReactNode;
  children: ReactNode;
}

/** The failures of one tool, which open and close, with its fix. */
export function FoldedFailures(props: FoldedFailuresProps) {
  const { name, title = name, isText = false, count, openFirst, action, children } = props;
  const [open, setOpen] = useState(openFirst);
  const Name = name === null || isText ? 'span' : 'code';
  return (
    <div className={classes.group}>
      <div className={classes.groupHead}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} stroke={2.2} aria-hidden className={classes.chevron} />
          <Name className={classes.groupTitle} title={visibleText(title ?? '')}>
            <PlainText text={name ?? 'No single tool'} />
          </Name>
          <span className={classes.groupCount}>{count}</span>
        </button>
        {action}
      </div>
      {open && children}
    </div>
  );
}

interface CauseHeadProps {
  mark: ReactNode;
  title: ReactNode;
  /** How many runs, or how many of each model that has a column. */
  counts: readonly number[];
}

/** What several failures have in common. */
export const CauseHead = ({ mark, title, counts }: CauseHeadProps) => (
  <div className={classes.cause}>
    {mark}
    <span className={classes.causeTitle}>{title}</span>
    {counts.map((count, at) => (
      <span key={at} className={classes.causeCount}>
        {formatCount(count)}
      </span>
    ))}
  </div>
);

interface FailureLineProps {
  to: string;
  /** The request of a case, or the name of a task. */
  title: string;
  mark?: ReactNode;
  /** The title as it is drawn. */
  text: ReactNode;
  /** The cause, where it has no line of its own. */
  note?: ReactNode;
  /** Which of several runs it is. */
  which: string;
  children?: ReactNode;
}

/** A failed run, which opens its page. */
export const FailureLine = (props: FailureLineProps) => (
  <li>
    <Link
      className={classes.request}
      data-cause={props.note === undefined ? undefined : true}
      to={props.to}
    >
      {props.mark}
      <span className={classes.query} title={visibleText(props.title)}>
        {props.text}
        {props.note !== undefined && (
          <>
            {' '}
            <small className={classes.ofCause}>{props.note}</small>
          </>
        )}
      </span>
      {props.which !== '' && <PlainText as="span" className={classes.tag} text={props.which} />}
      {props.children}
    </Link>
  </li>
);
