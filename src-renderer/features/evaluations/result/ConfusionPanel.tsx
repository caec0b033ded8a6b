import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { type RefObject, useCallback, useMemo } from 'react';
import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';
import { formatPercent } from '../../../ui/estimate/format.ts';
import { Matrix } from '../../../ui/matrix/Matrix.tsx';
import type { MatrixAxis } from '../../../ui/matrix/matrixAxes.ts';
import { counted, noun } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { confusionView, maxShownTools } from './confusionView.ts';
import type { ResultAddress } from './resultAddress.ts';

interface ConfusionPanelProps {
  place: RefObject<HTMLElement | null>;
  confusion: ConfusionMatrix;
  /** True until the servers have listed their tools: the matrix has no rows yet. */
  waiting: boolean;
  address: ResultAddress;
  onCell: (cell: { expected: string; selected: string }) => void;
  onChange: (change: Partial<ResultAddress>) => void;
}

function nameOf(row: MatrixAxis, column: MatrixAxis, count: number, total: number): string {
  const share = total > 0 ? `, ${formatPercent(count / total)}` : '';
  return `Expected ${spoken(row)}, selected ${spoken(column)}: ${count} of ${total}${share}`;
}

function spoken(axis: MatrixAxis): string {
  return axis.group === null ? axis.label : axis.id;
}

export function ConfusionPanel({
  place,
  confusion,
  waiting,
  address,
  onCell,
  onChange,
}: ConfusionPanelProps) {
  const view = useMemo(() => confusionView(confusion, address.tools), [confusion, address.tools]);
  const select = useCallback(
    (row: MatrixAxis, column: MatrixAxis) => {
      onCell({ expected: row.id, selected: column.id });
    },
    [onCell],
  );
  const selected = useMemo(
    () =>
      address.cell === null ? null : { row: address.cell.expected, column: address.cell.selected },
    [address.cell],
  );
  return (
    <section
      ref={place}
      className={classes.matrixPart}
      data-wide={view.tools > maxShownTools || undefined}
      aria-label="Confusion"
    >
      <div className={classes.partHead}>
        <h2 className={classes.partTitle}>Confusion matrix</h2>
        <SegmentedControl
          size="xs"
          aria-label="Numbers in the cells"
          data={[
            { value: 'counts', label: 'Counts' },
            { value: 'share', label: 'Row %' },
          ]}
          value={address.mode}
          onChange={(mode) => {
            onChange({ mode: mode === 'share' ? 'share' : 'counts' });
          }}
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
            value={address.tools}
            onChange={(event) => {
              onChange({ tools: event.currentTarget.value });
            }}
          />
          <Text size="xs" c="dimmed">
            {view.shown} of {counted(view.tools, 'tool')}
            {address.tools === '' ? ', those most confused' : ''}
            {view.outside > 0 &&
              `; ${counted(view.outside, 'call')} ${noun(view.outside, 'lies', 'lie')} outside`}
          </Text>
        </div>
      )}
      {waiting ? (
        <div className={`ts-panel ${classes.waiting ?? ''}`}>
          The matrix stands here as soon as the servers have told their tools.
        </div>
      ) : (
        <Matrix
          label="Confusion matrix"
          rowWord="expected"
          columnWord="selected"
          rows={view.rows}
          columns={view.columns}
          counts={view.counts}
          totals={view.totals}
          mode={address.mode}
          nameOf={nameOf}
          selected={selected}
          onSelect={select}
          {...(view.tools > maxShownTools ? { maxHeight: '46vh' } : {})}
        />
      )}
    </section>
  );
}
