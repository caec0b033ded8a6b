import type { ReactNode } from 'react';
import classes from './Illustration.module.css';

/** A stack of cards with an icon on the front one: the picture of every empty state. */
export function Illustration({ children }: { children: ReactNode }) {
  return (
    <span className={classes.picture} aria-hidden>
      <svg width="132" height="92" viewBox="0 0 132 92">
        <rect className={classes.back} x="22" y="6" width="88" height="56" rx="8" />
        <rect className={classes.middle} x="14" y="14" width="104" height="60" rx="8" />
        <rect className={classes.front} x="6" y="24" width="120" height="64" rx="8" />
        <path className={classes.lines} d="M66 44h44M66 56h34M66 68h40" />
        <path className={classes.streak} d="M116 24l10 10" />
      </svg>
      <span className={classes.icon}>{children}</span>
    </span>
  );
}
