import { type ReactNode, useId } from 'react';
import { PlainText } from '../text/Foreign.tsx';
import classes from './TitledPanel.module.css';

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
      className={`ts-panel ${classes.panel ?? ''}`}
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
    >
      {title !== undefined && (
        <div className={classes.head}>
          <h2 id={id}>{typeof title === 'string' ? <PlainText text={title} /> : title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
