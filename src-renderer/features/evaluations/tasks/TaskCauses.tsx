import { Link } from 'react-router';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { TaskCause, TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { TaskOutcomeMark } from '../../../ui/outcome/TaskOutcome.tsx';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { openGroups } from '../openGroups.ts';
import classes from './tasks.module.css';
import { taskRunLink } from './taskLinks.ts';

/** A group lists no more than this; the tab of all runs has the rest. */
const runsPerGroup = 100;

/** What kept runs from succeeding, the most frequent first; what is not scored comes last. */
export function TaskCauses({ report }: { report: TaskReport }) {
  const { causes, evaluation } = report;
  const failed = causes.filter(({ outcome }) => outcome !== 'not_scored');
  const unscored = causes.filter(({ outcome }) => outcome === 'not_scored');
  if (causes.length === 0)
    return (
      <EmptyState
        message={
          hasEnded(evaluation.state)
            ? 'Nothing failed. All runs shows the steps of each run.'
            : 'No run has failed yet. Failed runs appear here as they end.'
        }
      />
    );
  return (
    <div className={classes.causes}>
      {failed.length > 0 && <CauseList title="Failures by cause" causes={failed} report={report} />}
      {unscored.length > 0 && (
        <CauseList title="Not scored, by reason" causes={unscored} report={report} />
      )}
    </div>
  );
}

interface CauseListProps {
  title: string;
  causes: readonly TaskCause[];
  report: TaskReport;
}

function CauseList({ title, causes, report }: CauseListProps) {
  const open = openGroups(causes.map(({ runs }) => runs));
  return (
    <section className={classes.panel} aria-label={title}>
      <h2 className={classes.panelTitle}>{title}</h2>
      {causes.map((cause, at) => (
        <div key={`${cause.outcome} ${cause.cause}`} className={classes.causeGroup}>
          <Fold
            openFirst={open[at] ?? false}
            title={
              <span className={classes.causeTitle}>
                <TaskOutcomeMark outcome={cause.outcome} word={cause.outcome !== 'not_scored'} />
                <b>
                  <PlainText text={cause.cause} />
                </b>
              </span>
            }
            hint={counted(cause.runs, 'run')}
          >
            <RunsOfCause cause={cause} report={report} />
          </Fold>
        </div>
      ))}
    </section>
  );
}

/** The runs of a cause: task, model and repetition where there are several, and the reason. */
function RunsOfCause({
  cause: { runIds },
  report: { runs, models, evaluation },
}: {
  cause: TaskCause;
  report: TaskReport;
}) {
  const wanted = new Set(runIds.slice(0, runsPerGroup));
  return (
    <ul className={classes.causeRuns}>
      {runs
        .filter(({ runId }) => wanted.has(runId))
        .map(({ runId, taskName, modelSettingsId, repetition, reason }) => (
          <li key={runId}>
            <Link to={taskRunLink(evaluation.id, runId)} className={classes.causeRun}>
              <span className={classes.causeTask}>
                <Cut text={taskName} />
              </span>
              <span className={classes.muted}>
                {[
                  models.length > 1 && models.find(({ id }) => id === modelSettingsId)?.label,
                  evaluation.settings.repetitions > 1 && `run ${repetition}`,
                ]
                  .filter((part) => typeof part === 'string')
                  .join(', ')}
              </span>
              <span className={classes.causeReason}>
                <Cut text={reason ?? ''} />
              </span>
            </Link>
          </li>
        ))}
      {runIds.length > runsPerGroup && (
        <li className={classes.muted}>
          {counted(runIds.length - runsPerGroup, 'more run')}. All runs lists them.
        </li>
      )}
    </ul>
  );
}
