import { relationTexts } from '../../../../../src-shared/display/trajectoryTexts.ts';
import type { StepRelation } from '../../../../../src-shared/domain/taskEvaluation.ts';
import classes from '../../tasks.module.css';

/** How a step compares with the one beside it. */
export function RelationMark({ relation }: { relation: StepRelation }) {
  const { glyph, meaning } = relationTexts[relation];
  return (
    <span
      className={classes.relation}
      data-relation={relation}
      role="img"
      aria-label={meaning}
      title={meaning}
    >
      {glyph}
    </span>
  );
}
