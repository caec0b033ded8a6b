import { modeTexts } from '../../../../src-shared/display/executionTexts.ts';
import { OutcomeBar } from '../../../ui/outcome/OutcomeBar.tsx';
import { TaskOutcomeBar } from '../../../ui/outcome/TaskOutcome.tsx';
import { ResumeTasks } from '../ResumeTasks.tsx';
import { OriginBadge, ResumeButton, SampleBadge } from './EvaluationParts.tsx';
import classes from './list.module.css';
import type { Listed } from './listed.ts';

interface ListedProps {
  one: Listed;
}

/** What kind of evaluation it is, and why it exists. */
export function ListedBadges({ one }: ListedProps) {
  if (one.kind === 'cases')
    return (
      <>
        <OriginBadge origin={one.evaluation.origin} />
        <SampleBadge id={one.evaluation.id} />
      </>
    );
  const { label, meaning } = modeTexts[one.evaluation.settings.mode];
  return (
    <span className={classes.badge} title={`Evaluation of tasks. ${meaning}`}>
      Tasks · {label}
    </span>
  );
}

export function ListedBar({ one }: ListedProps) {
  return one.kind === 'cases' ? (
    <OutcomeBar thin counts={one.evaluation.outcomes} />
  ) : (
    <TaskOutcomeBar thin counts={one.evaluation.outcomes} />
  );
}

export function ListedResume({ one }: ListedProps) {
  return one.kind === 'cases' ? (
    <ResumeButton evaluation={one.evaluation} />
  ) : (
    <ResumeTasks evaluation={one.evaluation} />
  );
}
