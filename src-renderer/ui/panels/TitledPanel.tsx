import { type ReactNode, useId } from 'react';
import { PlainText } from '../text/PlainText.tsx';
import classes from './TitledPanel.module.css';

interface TitledPanelProps {
  title: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A panel with its title in it: one of several parts of a screen that stand side by side. */
export function TitledPanel({ title, aside, children }: TitledPanelProps) {
  const id = useId();
  return (
    <section className="ts-panel" aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          <PlainText text={title} />
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
