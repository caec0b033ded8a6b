import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { formatCount, formatPercent } from '../../../../../src-shared/display/numbers.ts';
import { checkKindTexts } from '../../../../../src-shared/display/taskTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { type Column, DataTable } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Cut.tsx';
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
  {
    id: 'task',
    header: 'Task',
    width: 'minmax(150px, 1.2fr)',
    cell: ({ taskName }) => <Cut text={taskName} />,
    sortValue: ({ taskName }) => taskName,
  },
  {
    id: 'check',
    header: 'Check',
    width: 'minmax(120px, 1fr)',
    cell: ({ id }) => <Cut text={id} mono />,
    sortValue: ({ id }) => id,
  },
  {
    id: 'kind',
    header: 'Looks at',
    width: 140,
    cell: ({ kind }) => checkKindTexts[kind],
    sortValue: ({ kind }) => kind,
  },
  {
    id: 'failed',
    header: 'Failed',
    width: 84,
    align: 'right',
    cell: ({ failed }) => <span className="ts-number">{formatCount(failed)}</span>,
    sortValue: ({ failed }) => failed,
  },
  {
    id: 'passed',
    header: 'Passed',
    width: 84,
    align: 'right',
    cell: ({ passed }) => <span className="ts-number">{formatCount(passed)}</span>,
    sortValue: ({ passed }) => passed,
  },
  {
    id: 'unjudged',
    header: 'Not judged',
    width: 100,
    align: 'right',
    cell: ({ unjudged }) => <span className="ts-number">{formatCount(unjudged)}</span>,
    sortValue: ({ unjudged }) => unjudged,
  },
  {
    id: 'rate',
    header: 'Pass rate',
    width: 96,
    align: 'right',
    cell: (row) => (
      <span className="ts-number">
        {formatPercent(judged(row) === 0 ? null : row.passed / judged(row))}
      </span>
    ),
    sortValue: (row) => (judged(row) === 0 ? null : row.passed / judged(row)),
  },
];
