import {
  IconArrowsExchange,
  IconBan,
  IconBraces,
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconMinus,
  IconPlus,
  IconQuestionMark,
} from '@tabler/icons-react';
import { outcomeTexts, type Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import classes from './outcome.module.css';

const glyphs = {
  passed: IconCheck,
  wrong_tool: IconArrowsExchange,
  no_tool_called: IconBan,
  missing_call: IconCircleHalf2,
  wrong_arguments: IconBraces,
  unneeded_call: IconPlus,
  made_up_tool: IconQuestionMark,
  not_scored: IconMinus,
  not_run: IconCircleDashed,
} as const satisfies Record<Outcome, unknown>;

/** The glyph of an outcome; color alone never carries the meaning. */
export function OutcomeGlyph({ outcome }: { outcome: Outcome }) {
  const Glyph = glyphs[outcome];
  return <Glyph size={13} stroke={2.4} aria-hidden />;
}

interface OutcomeMarkProps {
  outcome: Outcome;
  /** True in lists where success recedes: a plain check mark without a fill. */
  quiet?: boolean;
  /** True if the text next to the mark already names the outcome. */
  decorative?: boolean;
}

/** An outcome as a small filled square with its glyph. */
export function OutcomeMark({ outcome, quiet = false, decorative = false }: OutcomeMarkProps) {
  const { title, meaning } = outcomeTexts[outcome];
  return (
    <span
      className={`${classes.outcome} ${classes.mark}`}
      data-outcome={outcome}
      data-quiet={quiet}
      title={`${title}: ${meaning}`}
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title })}
    >
      <OutcomeGlyph outcome={outcome} />
    </span>
  );
}
