import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { formatPercent } from '../../../../../src-shared/display/numbers.ts';
import { checkKindTexts } from '../../../../../src-shared/display/taskTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { type Column, DataTable } from '../../../../ui/table/DataTable.tsx';
import { codeColumn, numberColumn, textColumn } from '../../../../ui/table/columns.tsx';
import { type CheckRow, checkRows } from './checkRows.ts';
import { taskRunLink } from '../../links.ts';

/** Every check of every task: how often it passed. A row opens a run in which it failed. */
export function TaskChecksTable({ report: { runs, evaluation } }: { report: TaskReport }) {
  const navigate = useNavigate();
  const rows = useMemo(() => checkRows(runs), [runs]);
  return (
    <DataTable
      label="Checks"
      columns={columns}
      rows={rows}
      rowKey={({ taskKey, id }) => `${taskKey} ${id}`}
      onOpen={({ failedRunId, taskKey }) => {
        const runId = failedRunId ?? runs.find((run) => run.taskKey === taskKey)?.runId;
        if (runId !== undefined) void navigate(taskRunLink(evaluation.id, runId));
      }}
      rowHeight={40}
      empty={<EmptyState message="No check is judged yet. Checks run after the last step." />}
    />
  );
}

const judged = ({ passed, failed }: CheckRow): number => passed + failed;

const columns: Column<CheckRow>[] = [
  textColumn('task', 'Task', 'minmax(150px, 1.2fr)', ({ taskName }) => taskName),
  codeColumn('check', 'Check', 'minmax(120px, 1fr)', ({ id }) => id),
  {
    id: 'kind',
    header: 'Looks at',
    width: 140,
    cell: ({ kind }) => checkKindTexts[kind],
    sortValue: ({ kind }) => kind,
  },
  numberColumn('failed', 'Failed', 84, ({ failed }) => failed),
  numberColumn('passed', 'Passed', 84, ({ passed }) => passed),
  numberColumn('unjudged', 'Not judged', 100, ({ unjudged }) => unjudged),
  numberColumn(
    'rate',
    'Pass rate',
    96,
    (row) => (judged(row) === 0 ? null : row.passed / judged(row)),
    { text: formatPercent },
  ),
];
