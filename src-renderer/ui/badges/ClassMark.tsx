import classes from './ClassMark.module.css';

export type ClassTone = 'tp' | 'tn' | 'fp' | 'fn' | 'failed' | 'phantom';

interface ClassMarkProps {
  outcome: ClassTone;
  /** The letters on the fill, because color alone must not carry the meaning. */
  letters: string;
}

/**
 * A small filled tag in a color-blind-safe color, with an outline that is visible in both themes.
 */
export function ClassMark({ outcome, letters }: ClassMarkProps) {
  return (
    <span className={classes.mark} data-outcome={outcome}>
      {letters}
    </span>
  );
}
