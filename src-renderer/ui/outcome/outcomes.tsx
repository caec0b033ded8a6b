import type { ReactNode } from 'react';
import {
  IconArrowsExchange,
  IconBan,
  IconBraces,
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconMessageOff,
  IconMinus,
  IconPlus,
  IconQuestionMark,
  IconRefresh,
  IconStopwatch,
  IconX,
} from '@tabler/icons-react';
import {
  shownTaskOutcomes,
  type TaskOutcomeCounts,
  taskOutcomeTexts,
  type ShownTaskOutcome,
} from '../../../src-shared/display/taskTexts.ts';
import {
  outcomesInOrder,
  type OutcomeCounts,
  type Rate,
} from '../../../src-shared/display/verdictTexts.ts';
import { outcomeTexts, type Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import classes from './outcome.module.css';

/** How a run of a case or of a task came out. */
export type ShownOutcome = Outcome | ShownTaskOutcome;

/** The glyph of an outcome, and whose color it has: those of tasks have that of one they are like. */
const marks = {
  passed: { Glyph: IconCheck, color: 'passed' },
  wrong_tool: { Glyph: IconArrowsExchange, color: 'wrong_tool' },
  no_tool_called: { Glyph: IconBan, color: 'no_tool_called' },
  missing_call: { Glyph: IconCircleHalf2, color: 'missing_call' },
  wrong_arguments: { Glyph: IconBraces, color: 'wrong_arguments' },
  unneeded_call: { Glyph: IconPlus, color: 'unneeded_call' },
  made_up_tool: { Glyph: IconQuestionMark, color: 'made_up_tool' },
  succeeded: { Glyph: IconCheck, color: 'passed' },
  check_failed: { Glyph: IconX, color: 'wrong_tool' },
  limit: { Glyph: IconStopwatch, color: 'no_tool_called' },
  loop: { Glyph: IconRefresh, color: 'unneeded_call' },
  refused: { Glyph: IconBan, color: 'no_tool_called' },
  no_answer: { Glyph: IconMessageOff, color: 'made_up_tool' },
  not_scored: { Glyph: IconMinus, color: 'not_scored' },
  not_run: { Glyph: IconCircleDashed, color: 'not_run' },
} as const satisfies Record<ShownOutcome, { Glyph: unknown; color: Outcome }>;

const colorOf = (outcome: ShownOutcome): Outcome => marks[outcome].color;

const textsOf = (outcome: ShownOutcome, ofTask = false) =>
  !ofTask && outcome in outcomeTexts
    ? outcomeTexts[outcome as Outcome]
    : taskOutcomeTexts[outcome as ShownTaskOutcome];

/** Gives an element with `data-outcome` the colors of that outcome. */
export const outcomeClass = classes.outcome ?? '';

/** The glyph of an outcome; color alone never carries the meaning. */
export function OutcomeGlyph({ outcome }: { outcome: ShownOutcome }) {
  const { Glyph } = marks[outcome];
  return <Glyph size={13} stroke={2.4} aria-hidden />;
}

interface OutcomeMarkProps {
  outcome: ShownOutcome;
  /** True in lists where success recedes: a plain check mark without a fill. */
  quiet?: boolean;
  /** True if the text next to the mark already names the outcome. */
  decorative?: boolean;
  /** What it is called, if not by its title. */
  label?: string;
  /** Its sign, where several causes share a color. */
  glyph?: ReactNode;
}

/** An outcome as a small filled square with its glyph. */
export function OutcomeMark(props: OutcomeMarkProps) {
  const { outcome, quiet = false, decorative, label, glyph } = props;
  const { title, meaning } = textsOf(outcome);
  return (
    <span
      className={`${outcomeClass} ${classes.mark}`}
      data-outcome={colorOf(outcome)}
      data-quiet={quiet}
      title={label ?? `${title}: ${meaning}`}
      {...(decorative === true
        ? { 'aria-hidden': true }
        : { role: 'img', 'aria-label': label ?? title })}
    >
      {glyph ?? <OutcomeGlyph outcome={outcome} />}
    </span>
  );
}

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
