import { IconArrowRight } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { Action } from '../../../../ui/fields/controls.tsx';
import {
  biggestTaskCause,
  executionText,
  exposureText,
  simulatedUserText,
  failedTasks,
  firstChange,
  isTaskResumable,
  successParts,
  taskHeadline,
  tasksWithoutScore,
} from '../../../../../src-shared/display/taskTexts.ts';
import { countRunCauses } from '../../../../../src-shared/display/runCauseTexts.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { PlainText } from '../../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { VerdictFrame } from '../../../../ui/verdict/VerdictFrame.tsx';
import { FixTool, NotFinished } from '../../NextStep.tsx';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import classes from '../../tasks.module.css';
import { taskRunLink } from '../../links.ts';
import { CauseMark, TaskBar } from './CauseMark.tsx';
import { failingModels } from './TaskFailures.tsx';
import { ChangeNote, CompareChip } from '../../../../ui/verdict/CompareChip.tsx';

interface TaskVerdictProps {
  report: TaskReport;
  /** A line above the headline: which evaluation this is about. */
  lead?: ReactNode;
  /** True if another button of the page is the filled one. */
  quiet?: boolean;
  /** A button before the one of the next step. */
  action?: ReactNode;
  /** Opens the comparison with another result; without it, the change since the previous one is told. */
  compare?: Pick<ComponentProps<typeof CompareChip>, 'isOpen' | 'onToggle'>;
  comparison?: ReactNode;
}

/** How many tasks succeeded, what fails, what was executed, and what to do next. */
export function TaskVerdict(props: TaskVerdictProps) {
  const { report, lead, quiet = false, action, compare, comparison } = props;
  const { evaluation, summary, models, runs, causes } = report;
  const change = { previous: firstChange(report), unit: 'task' } as const;
  const user = simulatedUserText(report);
  const exposure = exposureText(summary);
  const { outcomes } = evaluation;
  const running = !hasEnded(evaluation.state);
  const failed = failedTasks(outcomes);
  return (
    <VerdictFrame
      lead={lead}
      aside={compare ? <CompareChip {...change} {...compare} /> : <ChangeNote {...change} />}
      comparison={comparison}
      headline={taskHeadline(summary, evaluation, running)}
      {...successParts(summary)}
      counts={running ? 'succeeded so far' : 'succeeded'}
      models={models.map(({ id, label: name, summary: own }) => ({
        ...{ id, name, passed: own.succeeded, scored: own.scored, rate: own.successRate },
        bar: <TaskBar runs={runs.filter(({ modelSettingsId }) => modelSettingsId === id)} />,
      }))}
      bar={<TaskBar runs={runs} />}
      estimate={summary.successRate}
      failed={failed}
      failures={countRunCauses(causes).map(({ kind, label, runs: count }) => ({
        ...{ key: kind, count, label },
        mark: <CauseMark kind={kind} />,
      }))}
      without={tasksWithoutScore(outcomes, running)}
      notes={
        <>
          <p className={classes.executed}>{executionText(report)}</p>
          {exposure !== null && <p className={classes.executed}>{exposure}</p>}
          {user !== null && <PlainText as="p" className={classes.executed} text={user} />}
        </>
      }
      {...nextOf({ report, quiet, action })}
    />
  );
}

/** The next step: resume what is missing, else fix the tool behind the biggest cause. */
function nextOf({ report, quiet = false, action }: TaskVerdictProps) {
  const { evaluation, runs } = report;
  const running = !hasEnded(evaluation.state);
  const cause = biggestTaskCause(report);
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
          <Action
            label="Open a failed run"
            to={taskRunLink(evaluation.id, cause.runId)}
            filled={!(quiet || running || fixes)}
            after={IconArrowRight}
          />
        )}
        {fixes && (
          <FixTool
            evaluationId={evaluation.id}
            tool={cause.tool}
            {...failingModels(
              runs.filter((run) => run.cause?.tool === cause.tool),
              report,
            )}
            prominent={quiet ? 'default' : 'filled'}
          />
        )}
      </>
    ),
  };
}
