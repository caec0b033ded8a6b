import { needsWork } from '../../../../src-shared/display/qualityTexts.ts';
import classes from './quality.module.css';

/** The score of a tool; a tool that needs work stands out. */
export function ScoreMark({ score }: { score: number }) {
  return (
    <span className={classes.score} data-poor={needsWork({ score })}>
      {score}
      <span className="ts-visually-hidden"> of 10</span>
    </span>
  );
}
