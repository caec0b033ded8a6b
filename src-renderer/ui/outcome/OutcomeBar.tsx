import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import {
  outcomesInOrder,
  type OutcomeCounts,
  type Rate,
} from '../../../src-shared/display/verdictTexts.ts';
import classes from './outcome.module.css';
import { OutcomeGlyph } from './OutcomeMark.tsx';
import { SegmentBar } from './SegmentBar.tsx';

interface OutcomeBarProps {
  counts: OutcomeCounts;
  /** For rows of a list: lower, without glyphs and counts. */
  thin?: boolean;
}

/** The outcomes of all runs as one bar: passed first, then failures, the most frequent first. */
export function OutcomeBar({ counts, thin = false }: OutcomeBarProps) {
  return (
    <SegmentBar
      thin={thin}
      segments={outcomesInOrder(counts).map(({ outcome, count }) => ({
        color: outcome,
        count,
        label: outcomeTexts[outcome].label,
        glyph: <OutcomeGlyph outcome={outcome} />,
      }))}
    />
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
