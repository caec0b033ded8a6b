import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { taskRunColumns } from '../../../../../src-shared/domain/taskRunColumns.ts';
import type { TaskRunRow } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { TaskRunSort } from '../../../../../src-shared/domain/runSorts.ts';
import { useApi } from '../../../../api/index.ts';
import type { Sort } from '../../../../ui/table/tableSort.ts';
import { RunOutcome } from './CauseMark.tsx';
import type { Column } from '../../../../ui/table/tableColumn.ts';
import { column, numberColumn, textColumn } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Foreign.tsx';
import { RunsGrid } from '../RunsGrid.tsx';
import { measuredColumns } from '../../measuredColumns.tsx';
import { taskRunLink } from '../../links.ts';

/** Every run of a task evaluation, loaded page by page; a row opens its trajectory. */
export function TaskRuns({ report: { evaluation, models } }: { report: TaskReport }) {
  const navigate = useNavigate();
  const { client, queries } = useApi();
  const [sort, setSort] = useState<Sort | null>(null);
  const { id, state, settings } = evaluation;
  const columns = useMemo(
    () => columnsOf(models, settings.repetitions),
    [models, settings.repetitions],
  );
  const question = {
    ...{ unit: 'task' as const, id },
    sort: (sort?.column ?? 'position') as TaskRunSort,
    descending: sort?.descending ?? false,
  };
  return (
    <RunsGrid
      noun="run"
      label="Runs"
      list={{
        ...{ name: JSON.stringify(question), startAt: 0, ended: hasEnded(state) },
        keyOf: (page) => queries.evaluations.runs.queryKey({ input: { ...question, ...page } }),
        load: (page, options) => client.evaluations.runs({ ...question, ...page }, options),
      }}
      columns={columns}
      onOpen={({ runId }) => void navigate(taskRunLink(id, runId))}
      sort={sort}
      onSort={setSort}
      takeFocus={sort !== null}
      rowHeight={44}
      maxHeight="calc(100vh - 260px)"
      empty="No run is planned."
    />
  );
}

function columnsOf(models: TaskReport['models'], repetitions: number): Column<TaskRunRow>[] {
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  const modelOf = ({ modelSettingsId }: TaskRunRow): string => labels.get(modelSettingsId) ?? '';
  const columns: (Column<TaskRunRow> | false)[] = [
    column('outcome', 'Outcome', 190, { sortValue: ({ outcome }) => outcome }, (run) => (
      <RunOutcome run={run} />
    )),
    textColumn('task', 'Task', 'minmax(150px, 1fr)', ({ taskName }) => taskName),
    models.length > 1 &&
      column('model', 'Model', 'minmax(100px, 0.7fr)', { sortValue: modelOf }, (row) => (
        <Cut text={modelOf(row)} />
      )),
    repetitions > 1 &&
      numberColumn('repetition', 'Repetition', 100, ({ repetition }) => repetition),
    textColumn(
      'reason',
      'Why it did not succeed',
      'minmax(150px, 1.4fr)',
      ({ reason }) => reason ?? '',
      { sorts: false },
    ),
    ...measuredColumns(taskRunColumns, { of: ({ facts }: TaskRunRow) => facts }),
  ];
  return columns.filter((column) => column !== false);
}
