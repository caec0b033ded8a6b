import { outcomeTexts, type Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import type { ShownTaskOutcome } from '../../../src-shared/display/taskTexts.ts';
import { OutcomeMark } from './OutcomeMark.tsx';
import { TaskOutcomeMark } from './TaskOutcome.tsx';

/** The outcome of a case or of a task as its mark; passed recedes. The label is for screen readers. */
export function LastOutcomeMark({
  outcome,
  label,
}: {
  outcome: Outcome | ShownTaskOutcome;
  label: string;
}) {
  return (
    <span role="img" aria-label={label}>
      {outcome in outcomeTexts ? (
        <OutcomeMark outcome={outcome as Outcome} quiet decorative />
      ) : (
        <TaskOutcomeMark outcome={outcome as ShownTaskOutcome} quiet />
      )}
    </span>
  );
}
