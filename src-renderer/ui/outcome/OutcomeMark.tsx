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
import type { ReactNode } from 'react';
import { outcomeTexts, type Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import { taskOutcomeTexts, type ShownTaskOutcome } from '../../../src-shared/display/taskTexts.ts';
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

export const colorOf = (outcome: ShownOutcome): Outcome => marks[outcome].color;

export const textsOf = (outcome: ShownOutcome, ofTask = false) =>
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
