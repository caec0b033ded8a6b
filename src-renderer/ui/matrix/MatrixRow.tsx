import { memo } from 'react';
import { PlainText, visibleText } from '../text/Foreign.tsx';
import { formatCount, formatPercent } from '../../../src-shared/display/numbers.ts';
import {
  CORRECT,
  type CellTone,
  type MatrixAxis,
} from '../../../src-shared/display/confusionView.ts';
import classes from './Matrix.module.css';
import type { MatrixMode } from './matrixMode.ts';

export interface MatrixRowProps {
  index: number;
  axis: MatrixAxis;
  columns: readonly MatrixAxis[];
  counts: readonly number[];
  /** The total of the row, including columns that are not shown. */
  total: number;
  /** How many of the calls in the column of correct ones failed by their arguments. */
  wrongArguments: number;
  mode: MatrixMode;
  toneOf: (row: MatrixAxis, column: MatrixAxis) => CellTone;
  /** The column with the tab stop of the grid, if it is in this row. */
  active: number | null;
  selected: number | null;
  /** The accessible name of a cell. */
  nameOf: (row: MatrixAxis, column: MatrixAxis, count: number, total: number) => string;
  group: { name: string | null; length: number } | null;
  grouped: boolean;
  /** True if the label begins with the name of the group. */
  prefixed: boolean;
  onPress: (row: number, column: number) => void;
  onPoint: (row: number, column: number) => void;
  cellId: (row: number, column: number) => string;
}

/** The server of a tool, in front of its name. */
export function GroupPrefix({ axis: { group } }: { axis: MatrixAxis }) {
  return group === null ? null : (
    <span className={classes.prefix}>
      <PlainText text={group} />:
    </span>
  );
}

/** One row of the grid; renders only when it changes. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { index, axis, columns, counts, total, wrongArguments, mode, toneOf, active } = props;
  const { selected, nameOf, group, grouped, prefixed, onPress, onPoint, cellId } = props;
  return (
    <tr role="row">
      {grouped && group !== null && group.name !== null && (
        <th
          role="rowheader"
          scope="rowgroup"
          rowSpan={group.length}
          className={classes.rowGroup}
          title={visibleText(group.name)}
        >
          <PlainText as="span" text={group.name} />
        </th>
      )}
      {grouped && group?.name === null && (
        <td role="presentation" rowSpan={group.length} className={classes.rowGroup} />
      )}
      <th
        role="rowheader"
        scope="row"
        className={classes.rowHead}
        data-grouped={grouped || undefined}
        data-quiet={axis.group === null || undefined}
        title={visibleText(axis.title)}
      >
        {prefixed && <GroupPrefix axis={axis} />}
        <PlainText text={axis.label} />
      </th>
      {columns.map((column, at) => {
        const count = counts[at] ?? 0;
        const wrong = column.id === CORRECT ? Math.min(wrongArguments, count) : 0;
        return (
          <td
            key={column.id}
            id={cellId(index, at)}
            role="gridcell"
            tabIndex={active === at ? 0 : -1}
            aria-label={visibleText(nameOf(axis, column, count, total))}
            aria-selected={selected === at}
            className={classes.cell}
            data-tone={count === 0 ? 'empty' : toneOf(axis, column)}
            data-several={count > 1 || undefined}
            data-split={wrong > 0 || undefined}
            onClick={() => onPress(index, at)}
            onFocus={() => onPoint(index, at)}
            onPointerEnter={() => onPoint(index, at)}
          >
            {wrong > 0 ? (
              // Drawn by the style: the name of the cell says both, in words.
              <span className={classes.split}>
                {count > wrong && <span data-count={formatCount(count - wrong)} />}
                <b data-count={formatCount(wrong)} data-several={wrong > 1 || undefined} />
              </span>
            ) : count === 0 ? (
              ''
            ) : mode === 'share' ? (
              formatPercent(total > 0 ? count / total : null)
            ) : (
              formatCount(count)
            )}
          </td>
        );
      })}
    </tr>
  );
});
