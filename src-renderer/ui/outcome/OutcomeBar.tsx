import type { ReactNode } from 'react';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import {
  shownTaskOutcomes,
  type TaskOutcomeCounts,
} from '../../../src-shared/display/taskTexts.ts';
import {
  outcomesInOrder,
  type OutcomeCounts,
  type Rate,
} from '../../../src-shared/display/verdictTexts.ts';
import classes from './outcome.module.css';
import {
  colorOf,
  outcomeClass,
  OutcomeGlyph,
  OutcomeMark,
  type ShownOutcome,
  textsOf,
} from './OutcomeMark.tsx';

/** Of runs of cases, or of tasks. */
type Counts = OutcomeCounts | TaskOutcomeCounts;

const areTasks = (counts: Counts): counts is TaskOutcomeCounts => 'succeeded' in counts;

/** What occurs: passed first, then failures, the most frequent first. */
const occurring = (counts: Counts): { outcome: ShownOutcome; count: number }[] =>
  areTasks(counts) ? shownTaskOutcomes(counts) : outcomesInOrder(counts);

interface SegmentBarProps {
  segments: readonly {
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
          className={`${outcomeClass} ${classes.segment}`}
          data-outcome={color}
          style={{ flex: count }}
          title={`${count} ${label}`}
        >
          {!thin && glyph}
          {!thin && <span>{count}</span>}
        </span>
      ))}
    </div>
  );
}

export function OutcomeBar({ counts, thin = false }: { counts: Counts; thin?: boolean }) {
  return (
    <SegmentBar
      thin={thin}
      segments={occurring(counts).map(({ outcome, count }) => ({
        color: colorOf(outcome),
        count,
        label: textsOf(outcome, areTasks(counts)).label,
        glyph: <OutcomeGlyph outcome={outcome} />,
      }))}
    />
  );
}

/** What the colors of several bars mean: each outcome that occurs, in the order of a bar. */
export function OutcomeLegend({ bars }: { bars: readonly Counts[] }) {
  // Bars of cases and of tasks may be in one legend, and have words of their own.
  const found = new Map(
    bars.flatMap((counts) =>
      occurring(counts).map(({ outcome }) => [textsOf(outcome, areTasks(counts)).label, outcome]),
    ),
  );
  return (
    <ul
      className={classes.legend}
      aria-label={bars.every(areTasks) ? 'Outcomes of tasks' : 'Outcomes'}
    >
      {[...found].map(([label, outcome]) => (
        <li key={label}>
          <OutcomeMark outcome={outcome} decorative /> {label}
        </li>
      ))}
    </ul>
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
