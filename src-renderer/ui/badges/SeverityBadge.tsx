import type { ReactNode } from 'react';
import classes from './badges.module.css';

/** One outline per severity, so that no color is needed: octagon, triangle, diamond, ring. */
const shapes: Readonly<Record<string, ReactNode>> = {
  critical: (
    <>
      <path d="M5.9 1h8.2L19 5.9v8.2L14.1 19H5.9L1 14.1V5.9z" />
      <path className={classes.sign} d="M6.5 6.5l7 7M13.5 6.5l-7 7" />
    </>
  ),
  high: (
    <>
      <path d="M10 1.4 19.4 18H.6z" />
      <path className={classes.sign} d="M10 7v5M10 14.8v.4" />
    </>
  ),
  medium: (
    <>
      <path d="M10 .8 19.2 10 10 19.2.8 10z" />
      <path className={classes.sign} d="M10 6v4.6M10 13.6v.4" />
    </>
  ),
  low: <circle className={classes.ring} cx="10" cy="10" r="7.6" />,
};

/** The shape of a severity; decoration beside its word. */
export function SeverityIcon({ severity, size = 14 }: { severity: string; size?: number }) {
  return (
    <svg
      className={classes.shape}
      data-severity={severity in shapes ? severity : 'low'}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden
    >
      {shapes[severity] ?? shapes['low']}
    </svg>
  );
}

/** The severity of a signal, by color, shape and word. */
export function SeverityBadge(props: {
  severity: string;
  suffix?: string;
  /** Hides the word where space is short; it stays the accessible name. */
  compact?: boolean;
}) {
  const { severity, suffix = '', compact = false } = props;
  return (
    <span className={classes.badge}>
      <SeverityIcon severity={severity} />
      <span className={compact ? 'ts-visually-hidden' : undefined}>{`${severity}${suffix}`}</span>
    </span>
  );
}
