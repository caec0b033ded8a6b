import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import {
  formatCount,
  formatDuration,
  formatPercent,
  percentInterval,
} from '../../../../../src-shared/display/numbers.ts';
import {
  taskToolColumns,
  taskToolFinding,
  taskToolsNote,
} from '../../../../../src-shared/display/taskToolTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/notices.tsx';
import {
  codeColumn,
  type Column,
  DataTable,
  numberColumn,
} from '../../../../ui/table/DataTable.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';
import { taskRunLink } from '../../links.ts';
import classes from '../../tasks.module.css';

type Summary = TaskReport['summary'];
type ToolRow = Summary['tools'][number];

/** The numbers of each tool, under the most frequent first wrong step. */
export function TaskTools({ report }: { report: TaskReport }) {
  const navigate = useNavigate();
  const { summary, runs, evaluation } = report;
  const rows = useMemo(() => [...summary.tools], [summary.tools]);
  const firstWith = (tool: string) =>
    runs.find(({ toolUse }) => {
      const wrong = toolUse?.firstWrong;
      return wrong?.expected === tool || wrong?.called === tool;
    }) ?? runs.find(({ toolUse }) => toolUse?.tools.some((one) => one.tool === tool));
  if (rows.length === 0)
    return <EmptyState message="No tool is called or needed yet. Tools appear as runs end." />;
  return (
    <div className={classes.causes}>
      <Finding text={taskToolFinding(summary)} note={[taskToolsNote]} />
      <DataTable
        label="Tools"
        columns={columns}
        rows={rows}
        rowKey={({ tool }) => tool}
        onOpen={({ tool }) => {
          const run = firstWith(tool);
          if (run !== undefined) void navigate(taskRunLink(evaluation.id, run.runId));
        }}
        rowHeight={46}
      />
    </div>
  );
}

const count = (id: 'needed' | 'called' | 'missed' | 'wrong', width: number): Column<ToolRow> =>
  numberColumn(id, taskToolColumns[id].title, width, (row) => row[id], {
    hint: taskToolColumns[id].meaning,
  });

const columns: Column<ToolRow>[] = [
  codeColumn('tool', 'Tool', 'minmax(180px, 1fr)', ({ tool }) => tool),
  count('needed', 84),
  count('called', 84),
  count('missed', 84),
  count('wrong', 130),
  numberColumn('errors', taskToolColumns.errors.title, 100, ({ errors }) => errors, {
    hint: taskToolColumns.errors.meaning,
    text: (errors, { calls }) => `${formatCount(errors)} of ${formatCount(calls)}`,
  }),
  numberColumn(
    'unanswered',
    taskToolColumns.unanswered.title,
    130,
    ({ unanswered }) => unanswered,
    {
      hint: taskToolColumns.unanswered.meaning,
      text: (unanswered, { crashes }) => (
        <>
          {formatCount(unanswered)}{' '}
          {crashes > 0 && (
            <span className={classes.muted} title={taskToolColumns.crashes.meaning}>
              {formatCount(crashes)} ended
            </span>
          )}
        </>
      ),
    },
  ),
  numberColumn('time', taskToolColumns.time.title, 120, ({ timePerCallMs }) => timePerCallMs, {
    hint: taskToolColumns.time.meaning,
    text: formatDuration,
  }),
  numberColumn('success', taskToolColumns.success.title, 130, ({ success }) => success.value, {
    hint: taskToolColumns.success.meaning,
    text: (rate, { success }) => (
      <>
        {formatPercent(rate)} <span className={classes.muted}>{percentInterval(success)}</span>
      </>
    ),
  }),
];
