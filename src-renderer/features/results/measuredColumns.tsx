import type { RunColumn, ShownAs } from '../../../src-shared/domain/runColumns.ts';
import {
  formatCount,
  formatDuration,
  formatRate,
  formatUsd,
} from '../../../src-shared/display/numbers.ts';
import type { Column } from '../../ui/table/DataTable.tsx';

const formats: Record<ShownAs, (value: number | null) => string> = {
  rate: formatRate,
  count: formatCount,
  duration: formatDuration,
  usd: formatUsd,
};

export const measuredText = (shownAs: ShownAs, value: number | string | null): string =>
  formats[shownAs](typeof value === 'number' ? value : null);

interface Shown<Row, Run> {
  /** What was measured of the run of a row; null if nothing was. */
  of: (row: Row) => Run | null;
  /** What a cell adds to its number under the pointer, by the id of its column. */
  notes?: Readonly<Record<string, (row: Row) => string | undefined>>;
}

export function measuredColumns<Row, Run>(
  columns: readonly RunColumn<Run>[],
  { of, notes = {} }: Shown<Row, Run>,
): Column<Row>[] {
  return columns.flatMap(({ value, window }): Column<Row>[] => {
    if (window === undefined) return [];
    const { id, header, hint, width, shownAs, inNarrow = false } = window;
    const valueOf = (row: Row): number | string | null => {
      const run = of(row);
      return run && value(run);
    };
    return [
      {
        id,
        header,
        ...(hint !== undefined && { hint }),
        width,
        ...(!inNarrow && { spare: 1 }),
        align: 'right',
        sortValue: valueOf,
        cell: (row) => (
          <span className="ts-number" title={notes[id]?.(row)}>
            {measuredText(shownAs, valueOf(row))}
          </span>
        ),
      },
    ];
  });
}
