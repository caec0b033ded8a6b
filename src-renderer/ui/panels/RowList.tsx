import type { ReactNode } from 'react';
import classes from './RowList.module.css';

/** A framed list whose entries have text on the left and actions on the right. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={`ts-panel ${classes.list ?? ''}`} aria-label={label}>
      {children}
    </ul>
  );
}
