import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import {
  biggestTaskCause,
  executionText,
  exposureText,
  simulatedUserText,
  failedTaskOutcomes,
  failedTasks,
  isTaskResumable,
  scoredTasks,
  successParts,
  taskHeadline,
  taskOutcomeTexts,
  tasksWithoutScore,
} from '../../../../../src-shared/display/taskTexts.ts';
import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { emptyTaskOutcomes } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { RateWhisker } from '../../../../ui/outcome/OutcomeBar.tsx';
import { TaskOutcomeBar, TaskOutcomeMark } from '../../../../ui/outcome/TaskOutcome.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { ModelBars } from '../../../../ui/verdict/ModelBars.tsx';
import { FailureList, VerdictFrame } from '../../../../ui/verdict/VerdictFrame.tsx';
import { FixTool, NotFinished } from '../../NextStep.tsx';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import classes from '../../tasks.module.css';
import { taskRunLink } from '../../links.ts';

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
  const { evaluation, summary, models } = report;
  const user = simulatedUserText(report);
  const exposure = exposureText(summary);
  const { outcomes } = evaluation;
  const running = !hasEnded(evaluation.state);
  const failed = failedTasks(outcomes);
  return (
    <VerdictFrame
      lead={lead}
      headline={taskHeadline(report, running)}
      aside={aside}
      comparison={comparison}
      {...successParts(summary)}
      bars={
        models.length > 1 ? (
          <ModelBars
            rows={models.map((model) => {
              const counts = countsOf(report, model.id);
              return {
                id: model.id,
                name: model.label,
                bar: <TaskOutcomeBar counts={counts} />,
                passed: counts.succeeded,
                scored: scoredTasks(counts),
                rate: model.summary.successRate,
              };
            })}
          />
        ) : (
          <>
            <TaskOutcomeBar counts={outcomes} />
            <RateWhisker {...summary.successRate} />
          </>
        )
      }
      failures={
        <>
          <FailureList
            failed={failed === 0 ? '' : `${formatCount(failed)} failed`}
            parts={failedTaskOutcomes(outcomes).map(({ outcome, count }) => ({
              key: outcome,
              mark: <TaskOutcomeMark outcome={outcome} />,
              text: (
                <>
                  <b>{formatCount(count)}</b> {taskOutcomeTexts[outcome].label}
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

/** The runs of a model by outcome. */
function countsOf({ runs }: TaskReport, modelSettingsId: string) {
  const counts = emptyTaskOutcomes();
  for (const run of runs)
    if (run.modelSettingsId === modelSettingsId) counts[run.outcome ?? 'not_run'] += 1;
  return counts;
}

/** The next step: resume what is missing, else open a run with the biggest cause. */
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
  if (cause === null) return action === undefined ? {} : { actions: action };
  return {
    next: (
      <>
        <b>{running ? `${cause.label} so far:` : `${cause.label}:`}</b>{' '}
        <PlainText text={cause.text} />
      </>
    ),
    actions: (
      <>
        {action}
        {!running && (
          <FixTool
            evaluationId={evaluation.id}
            wrong={report.summary.confusions[0]}
            model={report.models[0]?.id ?? null}
          />
        )}
        {cause.runId !== null && (
          <Button
            component={Link}
            to={taskRunLink(evaluation.id, cause.runId)}
            variant={quiet || running ? 'default' : 'filled'}
            rightSection={<IconArrowRight size={16} aria-hidden />}
          >
            Open a failed run
          </Button>
        )}
      </>
    ),
  };
}
