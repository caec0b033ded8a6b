import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo, useState } from 'react';
import { BreakableName, PlainText, visibleText } from '../text/Foreign.tsx';
import type { CellTone, MatrixAxis } from '../../../src-shared/display/confusionView.ts';
import { maxLevelHeads, spansOf } from '../../../src-shared/display/matrixAxes.ts';
import { moveInMatrix, type Place } from '../keyboard/gridKeys.ts';
import classes from './Matrix.module.css';
import { GroupPrefix, MatrixRow, type MatrixRowProps } from './MatrixRow.tsx';
import type { MatrixMode } from './matrixMode.ts';

export interface MatrixProps {
  /** The accessible name of the grid. */
  label: string;
  /** What rows and columns stand for: `expected`, `selected`. */
  rowWord: string;
  columnWord: string;
  rows: readonly MatrixAxis[];
  columns: readonly MatrixAxis[];
  counts: readonly (readonly number[])[];
  /** The total of each row. */
  totals: readonly number[];
  mode: MatrixMode;
  /** What a cell counts: correct answers, or one kind of error. */
  toneOf: (row: MatrixAxis, column: MatrixAxis) => CellTone;
  nameOf: MatrixRowProps['nameOf'];
  selected: { row: string; column: string } | null;
  onSelect: (row: MatrixAxis, column: MatrixAxis) => void;
  maxHeight?: string;
  /**
   * A small part of a matrix: rows carry the name of their server, columns have bands of servers
   * where they are many, and cells shrink until all of it fits.
   */
  compact?: boolean;
  /** By row, how many of its correct calls failed by their arguments: a part of that cell. */
  wrongArguments?: readonly number[];
  /** Shown in the corner of a compact matrix. */
  corner?: ReactNode;
}

/** The corner without row groups: which way to read, and the legend of a compact matrix. */
function Corner({ rows, words, more }: { rows: number; words: string; more: ReactNode }) {
  return (
    <th role="columnheader" rowSpan={rows} className={classes.corner}>
      <span>{words}</span>
      {more}
    </th>
  );
}

/**
 * A grid of counts with one tab stop: arrow keys, Home, End, Page Up and Page Down move, Enter and
 * Space select the cell.
 */
export function Matrix(props: MatrixProps) {
  const { label, rowWord, columnWord, rows, columns, counts, totals, mode, toneOf, nameOf } = props;
  const { selected, onSelect, maxHeight = '64vh', compact = false, wrongArguments = [] } = props;
  const { corner } = props;
  const id = useId();
  const [cursor, setCursor] = useState<Place>({ row: 0, column: 0 });
  const [pointed, setPointed] = useState<Place | null>(null);
  const active: Place = {
    row: Math.min(cursor.row, rows.length - 1),
    column: Math.min(cursor.column, columns.length - 1),
  };
  const rowSpans = useMemo(() => spansOf(rows), [rows]);
  const columnSpans = useMemo(() => spansOf(columns), [columns]);
  const wide = columns.length > maxLevelHeads;
  const severalGroups = rowSpans.length > 0 || columnSpans.length > 0;
  const grouped = rowSpans.length > 0 && !compact;
  const bands = compact ? wide && columnSpans.length > 0 : grouped;
  const cellId = useCallback((row: number, column: number) => `${id}-${row}-${column}`, [id]);
  const point = useCallback((row: number, column: number) => setPointed({ row, column }), []);
  const press = useCallback(
    (row: number, column: number) => {
      const rowAxis = rows[row];
      const columnAxis = columns[column];
      setCursor({ row, column });
      if (rowAxis !== undefined && columnAxis !== undefined) onSelect(rowAxis, columnAxis);
    },
    [rows, columns, onSelect],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      press(active.row, active.column);
      return;
    }
    const next = moveInMatrix(event.key, event.ctrlKey, active, {
      rows: rows.length,
      columns: columns.length,
    });
    if (next === null) return;
    event.preventDefault();
    setCursor(next);
    const cell = document.getElementById(cellId(next.row, next.column));
    cell?.focus();
  };

  const words = `${rowWord} ↓ ${columnWord} →`;
  const readRow = pointed === null ? undefined : rows[pointed.row];
  const readColumn = pointed === null ? undefined : columns[pointed.column];
  return (
    <div className={classes.frame}>
      <div className={classes.scroller} style={{ maxHeight }}>
        <table
          role="grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + 1}
          className={classes.grid}
          data-grouped={grouped || undefined}
          data-wide={wide || undefined}
          data-compact={compact || undefined}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setPointed(null)}
        >
          <thead role="rowgroup">
            {bands && (
              <tr role="row">
                {grouped && (
                  <td role="presentation" colSpan={2} className={classes.corner} data-group />
                )}
                {!grouped && <Corner rows={2} words={words} more={corner} />}
                {columnSpans.map((span) =>
                  span.group === null ? (
                    <td
                      key={span.start}
                      role="presentation"
                      colSpan={span.length}
                      className={classes.columnGroup}
                    />
                  ) : (
                    <th
                      key={span.start}
                      role="columnheader"
                      scope="colgroup"
                      colSpan={span.length}
                      className={classes.columnGroup}
                      title={visibleText(span.group)}
                    >
                      <PlainText text={span.group} />
                    </th>
                  ),
                )}
              </tr>
            )}
            <tr role="row">
              {grouped && (
                <th role="columnheader" colSpan={2} className={classes.corner}>
                  <span>{words}</span>
                </th>
              )}
              {!grouped && !bands && <Corner rows={1} words={words} more={corner} />}
              {columns.map((column) => (
                <th
                  key={column.id}
                  role="columnheader"
                  scope="col"
                  className={classes.columnHead}
                  data-quiet={column.group === null || undefined}
                  title={visibleText(column.title)}
                >
                  <span>
                    {severalGroups && compact && !bands && <GroupPrefix axis={column} />}
                    <BreakableName name={column.label} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((axis, index) => {
              const span = rowSpans.find((candidate) => candidate.start === index);
              return (
                <MatrixRow
                  key={axis.id}
                  index={index}
                  axis={axis}
                  columns={columns}
                  counts={counts[index] ?? []}
                  total={totals[index] ?? 0}
                  wrongArguments={wrongArguments[index] ?? 0}
                  mode={mode}
                  toneOf={toneOf}
                  active={active.row === index ? active.column : null}
                  selected={
                    selected?.row === axis.id
                      ? columns.findIndex((column) => column.id === selected.column)
                      : null
                  }
                  nameOf={nameOf}
                  group={span === undefined ? null : { name: span.group, length: span.length }}
                  grouped={grouped}
                  prefixed={compact && severalGroups}
                  onPress={press}
                  onPoint={point}
                  cellId={cellId}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={classes.reading} aria-hidden>
        {pointed !== null && readRow !== undefined && readColumn !== undefined ? (
          <PlainText
            text={nameOf(
              readRow,
              readColumn,
              counts[pointed.row]?.[pointed.column] ?? 0,
              totals[pointed.row] ?? 0,
            )}
          />
        ) : (
          'Point at a cell to read it. Select it to see its runs.'
        )}
      </p>
    </div>
  );
}
