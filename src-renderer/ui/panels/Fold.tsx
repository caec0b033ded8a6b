import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './Fold.module.css';

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
      className={classes.fold}
      open={open}
      onToggle={(event) => {
        // The event of a fold inside this one bubbles up in React.
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <IconChevronRight size={14} stroke={2.2} aria-hidden className={classes.chevron} />
        <span className={classes.title}>{title}</span>
        {hint !== undefined && <span className={classes.hint}>{hint}</span>}
      </summary>
      {open && <div className={classes.body}>{children}</div>}
    </details>
  );
}
