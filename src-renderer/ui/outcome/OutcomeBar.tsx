import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import {
  outcomesInOrder,
  type OutcomeCounts,
  type Rate,
} from '../../../src-shared/display/verdictTexts.ts';
import classes from './outcome.module.css';
import { OutcomeGlyph } from './OutcomeMark.tsx';

/** From this share of the bar on, a segment has room for its glyph and count. */
const minShareForGlyph = 0.015;
const minShareForCount = 0.04;

interface OutcomeBarProps {
  counts: OutcomeCounts;
  /** For rows of a list: lower, without glyphs and counts. */
  thin?: boolean;
}

/** The outcomes of all runs as one bar: passed first, then failures, the most frequent first. */
export function OutcomeBar({ counts, thin = false }: OutcomeBarProps) {
  const segments = outcomesInOrder(counts);
  const total = segments.reduce((sum, { count }) => sum + count, 0);
  const text = segments
    .map(({ outcome, count }) => `${count} ${outcomeTexts[outcome].label}`)
    .join(', ');
  return (
    <div
      className={classes.bar}
      data-thin={thin}
      role="img"
      aria-label={text === '' ? 'No runs' : text}
    >
      {segments.length === 0 && <span className={classes.empty} />}
      {segments.map(({ outcome, count }) => (
        <span
          key={outcome}
          className={`${classes.outcome} ${classes.segment}`}
          data-outcome={outcome}
          style={{ flex: count }}
          title={`${count} ${outcomeTexts[outcome].label}`}
        >
          {!thin && count / total >= minShareForGlyph && <OutcomeGlyph outcome={outcome} />}
          {!thin && count / total >= minShareForCount && count}
        </span>
      ))}
    </div>
  );
}

/** A rate with its interval on a scale of 0–100%, below a bar of the same width. */
export function RateWhisker({ value, low, high }: Rate) {
  if (value === null || low === null || high === null) return null;
  const percent = (share: number) => `${share * 100}%`;
  return (
    <div className={classes.whisker} aria-hidden>
      <span className={classes.range} style={{ left: percent(low), width: percent(high - low) }} />
      <span className={classes.value} style={{ left: percent(value) }} />
    </div>
  );
}
