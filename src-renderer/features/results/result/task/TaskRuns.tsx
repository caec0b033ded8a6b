import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { formatCount, formatDuration } from '../../../../../src-shared/display/numbers.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { TaskOutcomeMark } from '../../../../ui/outcome/TaskOutcome.tsx';
import { type Column, DataTable } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { taskRunLink } from '../../links.ts';

/** Every run of a task evaluation; a row opens its trajectory. */
export function TaskRuns({ report: { evaluation, models, runs } }: { report: TaskReport }) {
  const navigate = useNavigate();
  const columns = useMemo(
    () => columnsOf(models, evaluation.settings.repetitions),
    [models, evaluation.settings.repetitions],
  );
  return (
    <DataTable
      label="Runs"
      columns={columns}
      rows={runs}
      rowKey={({ runId }) => runId}
      onOpen={({ runId }) => {
        void navigate(taskRunLink(evaluation.id, runId));
      }}
      rowHeight={44}
    />
  );
}

function columnsOf(models: TaskReport['models'], repetitions: number): Column<TaskRunRow>[] {
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  const modelOf = ({ modelSettingsId }: TaskRunRow): string => labels.get(modelSettingsId) ?? '';
  const columns: (Column<TaskRunRow> | false)[] = [
    {
      id: 'outcome',
      header: 'Outcome',
      width: 136,
      cell: ({ outcome }) => <TaskOutcomeMark outcome={outcome ?? 'not_run'} word />,
      sortValue: ({ outcome }) => outcome,
    },
    {
      id: 'task',
      header: 'Task',
      width: 'minmax(150px, 1fr)',
      cell: ({ taskName }) => <Cut text={taskName} />,
      sortValue: ({ taskName }) => taskName,
    },
    models.length > 1 && {
      id: 'model',
      header: 'Model',
      width: 'minmax(100px, 0.7fr)',
      cell: (row) => <Cut text={modelOf(row)} />,
      sortValue: modelOf,
    },
    repetitions > 1 && {
      id: 'repetition',
      header: 'Repetition',
      width: 100,
      align: 'right',
      cell: ({ repetition }) => <span className="ts-number">{repetition}</span>,
      sortValue: ({ repetition }) => repetition,
    },
    {
      id: 'reason',
      header: 'Why it did not succeed',
      width: 'minmax(150px, 1.4fr)',
      cell: ({ reason }) => <Cut text={reason ?? ''} />,
    },
    {
      id: 'steps',
      header: 'Steps',
      width: 76,
      align: 'right',
      cell: ({ facts }) => <span className="ts-number">{formatCount(facts?.steps)}</span>,
      sortValue: ({ facts }) => facts?.steps ?? null,
    },
    {
      id: 'calls',
      header: 'Calls',
      width: 76,
      align: 'right',
      cell: ({ facts }) => <span className="ts-number">{formatCount(facts?.calls)}</span>,
      sortValue: ({ facts }) => facts?.calls ?? null,
    },
    {
      id: 'time',
      header: 'Time',
      width: 84,
      align: 'right',
      cell: ({ facts }) => <span className="ts-number">{formatDuration(facts?.elapsedMs)}</span>,
      sortValue: ({ facts }) => facts?.elapsedMs ?? null,
    },
  ];
  return columns.filter((column) => column !== false);
}
