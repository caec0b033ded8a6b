import { useMemo } from 'react';
import type { PerTool } from '../../../../src-shared/domain/metrics.ts';
import { Cut } from '../../../ui/Cut.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { formatCount } from '../../../ui/estimate/format.ts';

const columns: Column<PerTool>[] = [
  { id: 'tool', header: 'Tool', width: 'minmax(150px, 1fr)', sortValue: (row) => row.toolId, cell: (row) => <Cut text={row.toolId} mono /> },
  { id: 'recall', header: 'Recall', hint: 'Of the calls that expected this tool, the share that chose it.', width: 128, align: 'right', sortValue: (row) => row.recall.value, cell: (row) => <EstimateText estimate={row.recall} /> },
  { id: 'precision', header: 'Precision', hint: 'Of the calls that chose this tool, the share that expected it.', width: 128, align: 'right', sortValue: (row) => row.precision.value, cell: (row) => <EstimateText estimate={row.precision} /> },
  { id: 'f1', header: 'F1', hint: 'The harmonic mean of the tool’s precision and recall.', width: 128, align: 'right', sortValue: (row) => row.f1Score.value, cell: (row) => <EstimateText estimate={row.f1Score} /> },
  { id: 'expected', header: 'Expected', hint: 'Calls that expected it: right ones and missed ones.', width: 96, align: 'right', sortValue: (row) => row.tp + row.fn, cell: (row) => formatCount(row.tp + row.fn) },
  { id: 'made', header: 'Made', hint: 'Calls that were made to it.', width: 80, align: 'right', sortValue: (row) => row.tp + row.fp, cell: (row) => formatCount(row.tp + row.fp) },
  { id: 'missed', header: 'Missed', hint: 'Expected, and not called.', width: 84, align: 'right', sortValue: (row) => row.fn, cell: (row) => formatCount(row.fn) },
  { id: 'wrong', header: 'Wrongly', hint: 'Called where it was not expected.', width: 88, align: 'right', sortValue: (row) => row.fp, cell: (row) => formatCount(row.fp) },
];

/** Each tool against all others. */
export function PerToolTab({ rows }: { rows: readonly PerTool[] }) {
  const shown = useMemo(() => [...rows], [rows]);
  return (
    <DataTable
      label="Per tool"
      columns={columns}
      rows={shown}
      rowKey={(row) => row.toolId}
      maxHeight="max(300px, calc(100vh - 490px))"
      empty={<EmptyState message="No tool was expected or called yet." />}
    />
  );
}
