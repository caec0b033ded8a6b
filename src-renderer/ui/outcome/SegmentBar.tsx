import type { ReactNode } from 'react';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import classes from './outcome.module.css';

interface SegmentBarProps {
  segments: readonly {
    /** The outcome whose color the segment has. */
    color: Outcome;
    count: number;
    label: string;
    glyph: ReactNode;
  }[];
  /** For rows of a list: lower, without glyphs and counts. */
  thin: boolean;
}

/** Counts as shares of one bar. */
export function SegmentBar({ segments, thin }: SegmentBarProps) {
  const text = segments.map(({ label, count }) => `${count} ${label}`).join(', ');
  return (
    <div
      className={classes.bar}
      data-thin={thin}
      role="img"
      aria-label={text === '' ? 'No runs' : text}
    >
      {segments.length === 0 && <span className={classes.empty} />}
      {segments.map(({ color, label, count, glyph }) => (
        <span
          key={label}
          className={`${classes.outcome} ${classes.segment}`}
          data-outcome={color}
          style={{ flex: count }}
          title={`${count} ${label}`}
        >
          {!thin && glyph}
          {!thin && <span className={classes.count}>{count}</span>}
        </span>
      ))}
    </div>
  );
}
