import { useCallback, useMemo, type ReactNode } from 'react';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import {
  confusionView,
  involvedIn,
  toneOfCell,
  type MatrixAxis,
} from '../../../../../src-shared/display/confusionView.ts';
import { maxLevelHeads } from '../../../../../src-shared/display/matrixAxes.ts';
import { Matrix } from '../../../../ui/matrix/Matrix.tsx';
import { spokenCell } from './ConfusionPanel.tsx';
import classes from './failures.module.css';

interface FailureMatrixProps {
  confusion: ConfusionMatrix;
  cell: { expected: string; selected: string } | null;
  onCell: (cell: { expected: string; selected: string }) => void;
  /** The way to the whole matrix, and the choice of its model. */
  actions: ReactNode;
}

/** The tools that appear in at least one failure: errors stand out, correct answers recede. */
export function FailureMatrix({ confusion, cell, onCell, actions }: FailureMatrixProps) {
  const view = useMemo(() => involvedIn(confusionView(confusion, '', 1000)), [confusion]);
  const select = useCallback(
    (row: MatrixAxis, column: MatrixAxis) => {
      onCell({ expected: row.id, selected: column.id });
    },
    [onCell],
  );
  const selected = useMemo(
    () => (cell === null ? null : { row: cell.expected, column: cell.selected }),
    [cell],
  );
  return (
    <section
      className={classes.panel}
      aria-label="Expected and called tools"
      data-wide={view.columns.length > maxLevelHeads || undefined}
    >
      <div className={classes.head}>
        <h2 className={classes.title}>Expected and called tools</h2>
        {actions}
      </div>
      {view.rows.length === 0 ? (
        <p className={classes.why}>No call went to another tool than the expected one.</p>
      ) : (
        <div className={classes.matrix}>
          <Matrix
            label="Expected and called tools"
            rowWord="expected"
            columnWord="called"
            rows={view.rows}
            columns={view.columns}
            counts={view.counts}
            totals={view.totals}
            mode="counts"
            toneOf={toneOfCell}
            nameOf={spokenCell}
            selected={selected}
            onSelect={select}
            maxHeight="none"
            compact
          />
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
      </div>
    </section>
  );
}
