import type { ReactNode } from 'react';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import classes from './outcome.module.css';

/** From this share of the bar on, a segment has room for its glyph and count. */
const minShareForGlyph = 0.015;
const minShareForCount = 0.04;

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
  const total = segments.reduce((sum, { count }) => sum + count, 0);
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
          {!thin && count / total >= minShareForGlyph && glyph}
          {!thin && count / total >= minShareForCount && count}
        </span>
      ))}
    </div>
  );
}
