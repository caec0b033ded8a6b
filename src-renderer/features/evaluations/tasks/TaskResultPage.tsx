import { useParams } from 'react-router';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { offeredText } from '../../../../src-shared/display/sentToolsTexts.ts';
import { modeTexts } from '../../../../src-shared/display/executionTexts.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { useApi } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import facts from '../evaluations.module.css';
import { stateWords } from '../evaluationWords.ts';
import { SentToolsOfModels } from '../SentToolsList.tsx';
import { stretchProgress } from '../live/foldEvents.ts';
import { RefusedNotice } from '../RefusedNotice.tsx';
import { ResultState } from '../result/ResultState.tsx';
import { TaskActions } from './TaskActions.tsx';
import classes from './tasks.module.css';
import { TaskTabs } from './TaskTabs.tsx';
import { TaskVerdict } from './TaskVerdict.tsx';
import type { LiveTasks } from './useLiveTasks.ts';
import { useTaskReport } from './useTaskReport.ts';

/** The result of a task evaluation: how many tasks succeeded, why others did not, and every run. */
export function TaskResultPage() {
  const { id = '' } = useParams();
  const { report, live, error } = useTaskReport(id);
  const evaluation = report.data?.evaluation;
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Evaluations', to: '/evaluations' },
          {
            label:
              evaluation === undefined
                ? 'Task evaluation'
                : `#${evaluation.number} ${evaluation.suiteName} (tasks)`,
          },
        ]}
        title={evaluation?.suiteName ?? 'Task evaluation'}
        subtitle={report.data === undefined ? undefined : <Facts report={report.data} />}
        actions={evaluation && <TaskActions evaluation={evaluation} />}
      />
      <Loaded query={report} blocks={[160, 30, 360]} label="Loading the task evaluation">
        {(loaded) => (
          <>
            <ResultState error={error} listings={live?.servers ?? []} sent={loaded.sentTools} />
            <SentToolsOfModels accounts={loaded.sentTools} models={loaded.evaluation.models} />
            <RefusedNotice models={loaded.evaluation.models} />
            <TaskVerdict report={loaded} />
            <Progress report={loaded} live={live} />
            <TaskTabs report={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** How far a running evaluation is; nothing once it has ended. */
function Progress({ report, live }: { report: TaskReport; live: LiveTasks | null }) {
  const { connection } = useApi();
  const { evaluation, runs } = report;
  if (hasEnded(evaluation.state)) return null;
  const total = live === null || live.planned === 0 ? runs.length : live.planned;
  const open = live === null || live.planned === 0 ? evaluation.outcomes.not_run : live.open;
  const stretch = live === null ? null : stretchProgress(live);
  const stage =
    connection === 'lost'
      ? 'connection lost, reconnecting'
      : stretch?.since == null
        ? 'listing tools'
        : undefined;
  return (
    <div className={classes.progress}>
      <WorkBar
        label={`Progress of task evaluation ${evaluation.number}`}
        done={total - open}
        total={total}
        pace={stretch}
        unit="run"
        {...(stage === undefined ? {} : { stage })}
      />
    </div>
  );
}

/** What was measured: model, tasks × repetitions, mode, tools, and date. */
function Facts({ report: { evaluation, models, runs, sentTools } }: { report: TaskReport }) {
  const tools = offeredText(sentTools);
  const { state, settings, createdAt } = evaluation;
  const tasks = new Set(runs.map(({ position }) => position)).size;
  return (
    <div className={facts.facts}>
      {hasEnded(state) && <StatusBadge {...stateWords[state]} />}
      {models.length === 1 && <PlainText text={models[0]?.label ?? ''} />}
      <span className="ts-number">
        {models.length > 1 && `${counted(models.length, 'model')} × `}
        {counted(tasks, 'task')}
        {settings.repetitions > 1 && ` × ${formatCount(settings.repetitions)}`}
      </span>
      <span>execution mode {modeTexts[settings.mode].label}</span>
      {tools !== null && <span className="ts-number">{tools}</span>}
      <Time iso={createdAt} />
    </div>
  );
}
