import { Link } from 'react-router';
import { counted } from '../../../../../src-shared/display/numbers.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { taskRunLink } from '../../links.ts';
import classes from '../../tasks.module.css';

/** A group lists no more than this; the tab of all runs has the rest. */
const runsPerGroup = 100;

/** Some runs: task, model and repetition where there are several. */
export function RunList({
  runIds,
  withReason = false,
  report: { runs, models, evaluation },
}: {
  runIds: readonly string[];
  /** True where nothing above the list says why they failed. */
  withReason?: boolean;
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
              {withReason && (
                <span className={classes.causeReason}>
                  <Cut text={reason ?? ''} />
                </span>
              )}
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
