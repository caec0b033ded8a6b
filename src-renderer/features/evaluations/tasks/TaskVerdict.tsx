import {
  executionText,
  failureLine,
  successText,
  taskHeadline,
} from '../../../../src-shared/display/taskTexts.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { TaskBar } from './TaskBar.tsx';
import classes from './tasks.module.css';

/** What a task evaluation says in five seconds: how many succeeded, what fails, what was executed. */
export function TaskVerdict({ report }: { report: TaskReport }) {
  const { evaluation, summary } = report;
  const failures = failureLine(evaluation.outcomes);
  return (
    <section className={classes.verdict} aria-label="Verdict">
      <div className={classes.line}>
        <h2 className={classes.headline}>{taskHeadline(report)}</h2>
        {summary.successRate.value !== null && (
          <span className={classes.rate}>{successText(summary)}</span>
        )}
      </div>
      <TaskBar counts={evaluation.outcomes} />
      {failures !== '' && <p className={classes.strong}>{failures}</p>}
      {evaluation.reason !== null && (
        <p>
          <PlainText text={evaluation.reason} />
        </p>
      )}
      <p className={classes.muted}>{executionText(report)}</p>
    </section>
  );
}
