import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatPercent, percentInterval } from '../../../../../src-shared/display/numbers.ts';
import {
  failedChecksText,
  groupFailuresText,
  groupingTexts,
  succeededText,
} from '../../../../../src-shared/display/taskGroupTexts.ts';
import type { TaskGroup, TaskGrouping } from '../../../../../src-shared/domain/taskGroup.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import {
  type Column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../../../ui/table/DataTable.tsx';
import { taskRunLink } from '../../links.ts';
import classes from '../../tasks.module.css';

type GroupRow = TaskGroup & { id: string; model: string };

/** How often each task, or all with a tag, server or difficulty, succeeded, and which checks failed. */
export function TaskGroups({ report: { evaluation, models, runs } }: { report: TaskReport }) {
  const navigate = useNavigate();
  const [by, setBy] = useState<TaskGrouping>('task');
  const all = useMemo(
    () =>
      models.flatMap(({ id, label, groups }) =>
        groups.map((row) => ({ ...row, id, model: label })),
      ),
    [models],
  );
  const known = [...new Set(all.map((row) => row.by))];
  return (
    <>
      {known.length > 1 && (
        <SegmentedControl
          mb="sm"
          aria-label="Put runs together by"
          data={known.map((value) => ({ value, label: groupingTexts[value] }))}
          value={by}
          onChange={setBy}
        />
      )}
      <DataTable
        label="Tasks and checks"
        columns={columnsOf(by, models.length > 1)}
        rows={all.filter((row) => row.by === by)}
        rowKey={({ name, keys, id }) => JSON.stringify([name, keys, id])}
        onOpen={({ failures, keys, id }) => {
          const isOwn = (run: (typeof runs)[number]) =>
            run.modelSettingsId === id && keys.includes(run.taskKey);
          const runId = failures[0]?.runId ?? runs.find(isOwn)?.runId;
          if (runId !== undefined) void navigate(taskRunLink(evaluation.id, runId));
        }}
        rowHeight={40}
        empty="No task is planned."
      />
    </>
  );
}

const columnsOf = (by: TaskGrouping, several: boolean): Column<GroupRow>[] => [
  textColumn('name', groupingTexts[by], 'minmax(130px, 1fr)', ({ name }) => name),
  ...(several ? [textColumn<GroupRow>('model', 'Model', 130, ({ model }) => model)] : []),
  numberColumn('succeeded', 'Succeeded', 110, ({ success }) => success.value, {
    text: (_rate, row) => succeededText(row),
  }),
  numberColumn('rate', 'Success rate', 180, ({ success }) => success.value, {
    hint: 'Of one task with Wilson’s 95% interval, of several with tasks as clusters.',
    text: (rate, { success }) => (
      <>
        {formatPercent(rate)} <span className={classes.muted}>{percentInterval(success)}</span>
      </>
    ),
  }),
  textColumn('checks', 'Failed checks', 'minmax(140px, 1fr)', failedChecksText, { sorts: false }),
  textColumn('failures', 'Failures', 'minmax(190px, 1.6fr)', groupFailuresText, { sorts: false }),
];
