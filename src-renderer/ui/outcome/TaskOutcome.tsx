import {
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconMessageOff,
  IconMinus,
  IconRefresh,
  IconStopwatch,
  IconX,
} from '@tabler/icons-react';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import {
  shownTaskOutcomes,
  taskOutcomeTexts,
  type ShownTaskOutcome,
  type TaskOutcomeCounts,
} from '../../../src-shared/display/taskTexts.ts';
import classes from './outcome.module.css';
import { SegmentBar } from './SegmentBar.tsx';

const marks = {
  succeeded: { color: 'passed', Glyph: IconCheck },
  check_failed: { color: 'wrong_tool', Glyph: IconX },
  limit: { color: 'no_tool_called', Glyph: IconStopwatch },
  loop: { color: 'unneeded_call', Glyph: IconRefresh },
  refused: { color: 'wrong_arguments', Glyph: IconBan },
  no_answer: { color: 'made_up_tool', Glyph: IconMessageOff },
  not_scored: { color: 'not_scored', Glyph: IconMinus },
  not_run: { color: 'not_run', Glyph: IconCircleDashed },
} as const satisfies Record<ShownTaskOutcome, { color: Outcome; Glyph: unknown }>;

/** The glyph of an outcome; color alone never carries the meaning. */
function TaskOutcomeGlyph({ outcome }: { outcome: ShownTaskOutcome }) {
  const { Glyph } = marks[outcome];
  return <Glyph size={13} stroke={2.4} aria-hidden />;
}

/** The outcome of a task run as a small filled square, with its word unless that is next to it. */
export function TaskOutcomeMark({
  outcome,
  word = false,
  quiet = false,
}: {
  outcome: ShownTaskOutcome;
  word?: boolean;
  /** True in lists where success recedes: a plain check mark without a fill. */
  quiet?: boolean;
}) {
  const { title, meaning } = taskOutcomeTexts[outcome];
  return (
    <span className={classes.taskOutcome} title={meaning}>
      <span
        className={`${classes.outcome} ${classes.mark}`}
        data-outcome={marks[outcome].color}
        data-quiet={quiet}
        aria-hidden
      >
        <TaskOutcomeGlyph outcome={outcome} />
      </span>
      {word && title}
    </span>
  );
}

/** Task runs by outcome as shares of one bar, succeeded first. */
export function TaskOutcomeBar({
  counts,
  thin = false,
}: {
  counts: TaskOutcomeCounts;
  thin?: boolean;
}) {
  return (
    <SegmentBar
      thin={thin}
      segments={shownTaskOutcomes(counts).map(({ outcome, count }) => ({
        color: marks[outcome].color,
        count,
        label: taskOutcomeTexts[outcome].label,
        glyph: <TaskOutcomeGlyph outcome={outcome} />,
      }))}
    />
  );
}

/** What the colors of several bars of tasks mean: each outcome that occurs, in the order of a bar. */
export function TaskOutcomeLegend({ bars }: { bars: readonly TaskOutcomeCounts[] }) {
  const occurring = new Set(
    bars.flatMap((counts) => shownTaskOutcomes(counts).map(({ outcome }) => outcome)),
  );
  return (
    <ul className={classes.legend} aria-label="Outcomes of tasks">
      {[...occurring].map((outcome) => (
        <li key={outcome}>
          <TaskOutcomeMark outcome={outcome} /> {taskOutcomeTexts[outcome].label}
        </li>
      ))}
    </ul>
  );
}
