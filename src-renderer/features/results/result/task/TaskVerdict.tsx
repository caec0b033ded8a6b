import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import {
  biggestTaskCause,
  executionText,
  exposureText,
  simulatedUserText,
  failedTasks,
  isTaskResumable,
  successParts,
  taskHeadline,
  tasksWithoutScore,
} from '../../../../../src-shared/display/taskTexts.ts';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import { countRunCauses } from '../../../../../src-shared/display/runCauseTexts.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { RateWhisker } from '../../../../ui/outcome/OutcomeBar.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { ModelBars } from '../../../../ui/verdict/ModelBars.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { FailureList, VerdictFrame } from '../../../../ui/verdict/VerdictFrame.tsx';
import { FixTool, NotFinished } from '../../NextStep.tsx';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import classes from '../../tasks.module.css';
import { taskRunLink } from '../../links.ts';
import { CauseMark, TaskBar } from './CauseMark.tsx';
import { worstModel } from './TaskFailures.tsx';

interface TaskVerdictProps {
  report: TaskReport;
  /** A line above the headline: which evaluation this is about. */
  lead?: ReactNode;
  /** True if another button of the page is the filled one. */
  quiet?: boolean;
  /** A button before the one of the next step. */
  action?: ReactNode;
  /** Opens the comparison with another result. */
  aside?: ReactNode;
  /** The comparison, while it is open. */
  comparison?: ReactNode;
}

/** How many tasks succeeded, what fails, what was executed, and what to do next. */
export function TaskVerdict(props: TaskVerdictProps) {
  const { report, lead, quiet = false, action, aside, comparison } = props;
  const { evaluation, summary, models, runs, tasks, causes } = report;
  const user = simulatedUserText(report);
  const exposure = exposureText(summary);
  const { outcomes } = evaluation;
  const running = !hasEnded(evaluation.state);
  const failed = failedTasks(outcomes);
  return (
    <VerdictFrame
      lead={lead}
      aside={aside}
      comparison={comparison}
      {...(models.length > 1
        ? { headline: `${counted(tasks.length, 'task')} with ${counted(models.length, 'model')}` }
        : { headline: taskHeadline(report, running), ...successParts(summary) })}
      bars={
        models.length > 1 ? (
          <ModelBars
            rows={models.map((model) => {
              const own = runs.filter(({ modelSettingsId }) => modelSettingsId === model.id);
              return {
                id: model.id,
                name: model.label,
                bar: <TaskBar runs={own} />,
                passed: model.summary.succeeded,
                scored: model.summary.scored,
                rate: model.summary.successRate,
              };
            })}
          />
        ) : (
          <>
            <TaskBar runs={runs} />
            <RateWhisker {...summary.successRate} />
          </>
        )
      }
      failures={
        <>
          <FailureList
            failed={failed === 0 ? '' : `${formatCount(failed)} failed`}
            parts={countRunCauses(causes).map(({ kind, label, runs: count }) => ({
              key: kind,
              mark: <CauseMark kind={kind} />,
              text: (
                <>
                  <b>{formatCount(count)}</b> {label}
                </>
              ),
            }))}
            without={tasksWithoutScore(outcomes, running)}
          />
          <p className={classes.executed}>{executionText(report)}</p>
          {exposure !== null && <p className={classes.executed}>{exposure}</p>}
          {user !== null && (
            <p className={classes.executed}>
              <PlainText text={user} />
            </p>
          )}
        </>
      }
      {...nextOf({ report, quiet, action })}
    />
  );
}

/** The next step: resume what is missing, else fix the tool behind the biggest cause. */
function nextOf({ report, quiet = false, action }: TaskVerdictProps) {
  const { evaluation, causes } = report;
  const running = !hasEnded(evaluation.state);
  const cause = biggestTaskCause(causes);
  if (isTaskResumable(report))
    return {
      next: <NotFinished reason={evaluation.reason} />,
      actions: (
        <>
          {action}
          <ResumeButton
            unit="task"
            evaluation={evaluation}
            prominent={quiet ? 'default' : 'filled'}
          />
        </>
      ),
    };
  const fixes = cause?.tool?.includes(':') === true && !running;
  if (cause === null) return action === undefined ? {} : { actions: action };
  return {
    next: (
      <>
        <b>{running ? `${cause.label} so far:` : `${cause.label}:`}</b>{' '}
        <RichSentence text={cause.text} />
      </>
    ),
    actions: (
      <>
        {action}
        {cause.runId !== null && (
          <Button
            component={Link}
            to={taskRunLink(evaluation.id, cause.runId)}
            variant={quiet || running || fixes ? 'default' : 'filled'}
            rightSection={<IconArrowRight size={16} aria-hidden />}
          >
            Open a failed run
          </Button>
        )}
        {fixes && (
          <FixTool
            evaluationId={evaluation.id}
            wrong={{ expected: cause.tool, called: null }}
            model={worstModel(
              report.runs.filter(({ runId }) => causes[0]?.runIds.includes(runId)),
              report,
            )}
            variant={quiet ? 'default' : 'filled'}
          />
        )}
      </>
    ),
  };
}
