import { IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { visibleText } from '../../../ui/text/visibleText.ts';
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
