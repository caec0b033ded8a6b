import { Anchor } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import { Matrix } from '../../../../ui/matrix/Matrix.tsx';
import { maxLevelHeads } from '../../../../../src-shared/display/matrixAxes.ts';
import { counted } from '../../../../ui/text/words.ts';
import { spokenCell } from './ConfusionPanel.tsx';
import {
  confusionView,
  involvedIn,
  toneOfCell,
  type MatrixAxis,
} from '../../../../../src-shared/display/confusionView.ts';
import classes from './failures.module.css';

interface InvolvedMatrixProps {
  confusion: ConfusionMatrix;
  cell: { expected: string; selected: string } | null;
  onCell: (cell: { expected: string; selected: string }) => void;
  /** Opens the whole matrix. */
  onAll: () => void;
}

/** The tools that appear in at least one failure: errors stand out, correct answers recede. */
export function InvolvedMatrix({ confusion, cell, onCell, onAll }: InvolvedMatrixProps) {
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
  if (view.rows.length === 0) return null;
  const legend = (
    <>
      <span className={classes.key}>
        <i /> correct
      </span>
      <span className={classes.key}>
        <i data-key="one" />
        <i data-key="several" /> error: 1, 2 or more
      </span>
      <Anchor component="button" type="button" size="xs" onClick={onAll}>
        Show all {counted(view.tools, 'tool')}
      </Anchor>
    </>
  );
  // Upright names leave room in the corner.
  const inCorner = view.columns.length > maxLevelHeads;
  return (
    <div className={classes.matrix}>
      <div className={inCorner ? 'ts-visually-hidden' : classes.matrixHead}>
        <h3 className={classes.matrixTitle}>Expected and called tools</h3>
        {!inCorner && legend}
      </div>
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
        corner={inCorner && <div className={classes.corner}>{legend}</div>}
      />
    </div>
  );
}
