import { SegmentedControl, TextInput } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import { Matrix } from '../../../../ui/matrix/Matrix.tsx';
import {
  formatCount,
  formatPercent,
  counted,
  noun,
} from '../../../../../src-shared/display/numbers.ts';
import classes from '../../evaluations.module.css';
import {
  confusionView,
  CORRECT,
  maxShownTools,
  toneOfCell,
  type MatrixAxis,
} from '../../../../../src-shared/display/confusionView.ts';
import type { ResultAddress } from './resultAddress.ts';
import { options, typed } from '../../../../ui/fields/controls.tsx';

interface ConfusionPanelProps {
  confusion: ConfusionMatrix;
  /** True until the servers have listed their tools: the matrix has no rows yet. */
  waiting: boolean;
  address: ResultAddress;
  onCell: (cell: { expected: string; selected: string }) => void;
  onChange: (change: Partial<ResultAddress>) => void;
}

export function ConfusionPanel(props: ConfusionPanelProps) {
  const { confusion, waiting, address, onCell, onChange } = props;
  const view = useMemo(() => confusionView(confusion, address.tools), [confusion, address.tools]);
  const select = useCallback(
    (row: MatrixAxis, column: MatrixAxis) => onCell({ expected: row.id, selected: column.id }),
    [onCell],
  );
  const selected = useMemo(
    () =>
      address.cell === null ? null : { row: address.cell.expected, column: address.cell.selected },
    [address.cell],
  );
  return (
    <section
      className={classes.matrixPart}
      data-wide={view.tools > maxShownTools || undefined}
      aria-label="Confusion"
    >
      <div className={classes.partHead}>
        <h2 className={classes.partTitle}>Confusion matrix</h2>
        <SegmentedControl
          aria-label="Numbers in the cells"
          data={options({ counts: 'Counts', share: 'Row %' })}
          value={address.mode}
          onChange={(mode) => onChange({ mode })}
        />
      </div>
      {(view.tools > maxShownTools || address.tools !== '') && (
        <div className={classes.partHead}>
          <TextInput
            size="xs"
            w={240}
            type="search"
            aria-label="Filter tools of the matrix"
            placeholder="Filter tools of the matrix"
            {...typed(address.tools, (tools) => onChange({ tools }))}
          />
          <p className="ts-hint">
            {formatCount(view.shown)} of {counted(view.tools, 'tool')}
            {address.tools === '' ? ', the most confused ones' : ''}
            {view.outside > 0 &&
              `. ${counted(view.outside, 'call')} ${noun(view.outside, 'is', 'are')} outside of them.`}
          </p>
        </div>
      )}
      {waiting ? (
        <div className={`ts-panel ${classes.waiting ?? ''}`}>
          The matrix appears once the servers have listed their tools.
        </div>
      ) : (
        <Matrix
          label="Confusion matrix"
          rowWord="expected"
          columnWord="called"
          rows={view.rows}
          columns={view.columns}
          counts={view.counts}
          totals={view.totals}
          mode={address.mode}
          toneOf={toneOfCell}
          nameOf={spokenCell}
          selected={selected}
          onSelect={select}
          {...(view.tools > maxShownTools ? { maxHeight: '46vh' } : {})}
        />
      )}
    </section>
  );
}

/** The accessible name of a cell. */
export function spokenCell(
  row: MatrixAxis,
  column: MatrixAxis,
  count: number,
  total: number,
): string {
  const share = total > 0 ? `, ${formatPercent(count / total)}` : '';
  const called = column.id === CORRECT ? 'correct tool called' : `called ${spoken(column)}`;
  return `Expected ${spoken(row)}, ${called}: ${formatCount(count)} of ${formatCount(total)}${share}`;
}

function spoken(axis: MatrixAxis): string {
  return axis.group === null ? axis.label : axis.id;
}
