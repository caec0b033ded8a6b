import { counted } from '../../../../../src-shared/display/numbers.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { TaskCause, TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { TaskOutcomeMark } from '../../../../ui/outcome/TaskOutcome.tsx';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { openGroups } from '../../openGroups.ts';
import { RunList } from './RunList.tsx';
import classes from '../../tasks.module.css';

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
            <RunList report={report} runIds={cause.runIds} />
          </Fold>
        </div>
      ))}
    </section>
  );
}
