import classes from './OutcomeMark.module.css';

export type Outcome = 'tp' | 'tn' | 'fp' | 'fn' | 'failed' | 'phantom';

interface OutcomeMarkProps {
  outcome: Outcome;
  /** The letters on the fill; colour never speaks alone. */
  letters: string;
  /** The accessible name, where the letters need words. */
  label?: string;
}

/**
 * A small filled tag from the colour-blind-safe set, outlined so that it stands on either theme.
 */
export function OutcomeMark({ outcome, letters, label }: OutcomeMarkProps) {
  return (
    <span
      className={classes.mark}
      data-outcome={outcome}
      {...(label === undefined ? {} : { role: 'img', 'aria-label': label, title: label })}
    >
      {letters}
    </span>
  );
}
