import type { ComponentProps, ReactNode } from 'react';
import { maxLevelHeads } from '../../../../src-shared/display/matrixAxes.ts';
import { Matrix } from '../../../ui/matrix/Matrix.tsx';
import { TitledPanel } from '../../../ui/panels/panels.tsx';
import classes from './case/failures.module.css';

interface FailureGridProps extends Omit<
  ComponentProps<typeof Matrix>,
  'label' | 'mode' | 'maxHeight' | 'compact' | 'corner'
> {
  title: string;
  actions?: ReactNode;
}

/** The tools that appear in at least one failure: errors stand out, correct answers recede. */
export function FailureGrid({ title, actions, ...matrix }: FailureGridProps) {
  return (
    <TitledPanel title={title} aside={actions}>
      {matrix.rows.length === 0 ? (
        <p className={classes.why}>
          Every call went to the expected tool, with the right arguments.
        </p>
      ) : (
        <div
          className={classes.matrix}
          data-wide={matrix.columns.length > maxLevelHeads || undefined}
        >
          <Matrix label={title} mode="counts" maxHeight="none" compact {...matrix} />
        </div>
      )}
      <div className={classes.legend}>
        <span className={classes.key}>
          <i /> correct
        </span>
        <span className={classes.key}>
          <i data-key="one" />
          <i data-key="several" /> error: 1, 2 or more
        </span>
        {matrix.wrongArguments && (
          <span className={classes.key}>
            <i data-key="arguments" /> wrong arguments
          </span>
        )}
      </div>
    </TitledPanel>
  );
}
