import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import {
  counted,
  formatCount,
  formatDuration,
  formatPercent,
  percentInterval,
} from '../../../../../src-shared/display/numbers.ts';
import {
  taskConfusionText,
  taskToolColumns,
  taskToolFinding,
  taskToolsNote,
} from '../../../../../src-shared/display/taskToolTexts.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { type Column, DataTable } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { openGroups } from '../../openGroups.ts';
import { FixTool } from '../../NextStep.tsx';
import { RunList } from './RunList.tsx';
import { taskRunLink } from '../../links.ts';
import classes from '../../tasks.module.css';

type Summary = TaskReport['summary'];
type ToolRow = Summary['tools'][number];
type Confusion = Summary['confusions'][number];

/** Which tools fail: what was called in place of what, and the numbers of each tool. */
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
      {summary.confusions.length > 0 && <Confusions report={report} />}
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

/** The pairs of first wrong steps with their runs. */
function Confusions({ report }: { report: TaskReport }) {
  const { confusions } = report.summary;
  const open = openGroups(confusions.map(({ runs }) => runs));
  return (
    <section className={classes.panel} aria-label="First wrong steps">
      <h2 className={classes.panelTitle}>First wrong steps</h2>
      {confusions.map((pair, at) => (
        <div key={`${pair.expected} ${pair.called}`} className={classes.causeGroup}>
          <Fold
            openFirst={open[at] ?? false}
            title={
              <span className={classes.causeTitle}>
                <b>
                  <RichSentence text={taskConfusionText(pair)} />
                </b>
              </span>
            }
            hint={counted(pair.runs, 'run')}
          >
            <RunList report={report} runIds={runsOf(report, pair)} />
            <FixTool
              evaluationId={report.evaluation.id}
              wrong={pair}
              model={report.models[0]?.id ?? null}
              size="compact-sm"
            />
          </Fold>
        </div>
      ))}
    </section>
  );
}

const runsOf = ({ runs }: TaskReport, { expected, called }: Confusion): string[] =>
  runs.flatMap(({ runId, toolUse }) =>
    toolUse?.firstWrong?.expected === expected && toolUse.firstWrong.called === called
      ? [runId]
      : [],
  );

const count = (id: 'needed' | 'called' | 'missed' | 'wrong', width: number): Column<ToolRow> => ({
  id,
  header: taskToolColumns[id].title,
  hint: taskToolColumns[id].meaning,
  width,
  align: 'right',
  cell: (row) => <span className="ts-number">{formatCount(row[id])}</span>,
  sortValue: (row) => row[id],
});

const columns: Column<ToolRow>[] = [
  {
    id: 'tool',
    header: 'Tool',
    width: 'minmax(180px, 1fr)',
    cell: ({ tool }) => <Cut text={tool} mono />,
    sortValue: ({ tool }) => tool,
  },
  count('needed', 84),
  count('called', 84),
  count('missed', 84),
  count('wrong', 130),
  {
    id: 'errors',
    header: taskToolColumns.errors.title,
    hint: taskToolColumns.errors.meaning,
    width: 100,
    align: 'right',
    cell: ({ errors, calls }) => (
      <span className="ts-number">
        {formatCount(errors)} of {formatCount(calls)}
      </span>
    ),
    sortValue: ({ errors }) => errors,
  },
  {
    id: 'unanswered',
    header: taskToolColumns.unanswered.title,
    hint: taskToolColumns.unanswered.meaning,
    width: 130,
    align: 'right',
    cell: ({ unanswered, crashes }) => (
      <span className="ts-number">
        {formatCount(unanswered)}{' '}
        {crashes > 0 && (
          <span className={classes.muted} title={taskToolColumns.crashes.meaning}>
            {formatCount(crashes)} ended
          </span>
        )}
      </span>
    ),
    sortValue: ({ unanswered }) => unanswered,
  },
  {
    id: 'time',
    header: taskToolColumns.time.title,
    hint: taskToolColumns.time.meaning,
    width: 120,
    align: 'right',
    cell: ({ timePerCallMs }) => <span className="ts-number">{formatDuration(timePerCallMs)}</span>,
    sortValue: ({ timePerCallMs }) => timePerCallMs,
  },
  {
    id: 'success',
    header: taskToolColumns.success.title,
    hint: taskToolColumns.success.meaning,
    width: 130,
    align: 'right',
    cell: ({ success }) => (
      <span className="ts-number">
        {formatPercent(success.value)}{' '}
        <span className={classes.muted}>{percentInterval(success)}</span>
      </span>
    ),
    sortValue: ({ success }) => success.value,
  },
];
