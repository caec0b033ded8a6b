import { taskOutcomeTexts } from '../../../../src-shared/display/taskTexts.ts';
import type { TaskOutcome } from '../../../../src-shared/domain/task.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { taskTone } from './taskTones.ts';

/** The outcome of a task run, by color, shape, and word. */
export function TaskOutcomeMark({ outcome }: { outcome: TaskOutcome | null }) {
  return (
    <StatusBadge tone={taskTone(outcome)} label={taskOutcomeTexts[outcome ?? 'not_run'].title} />
  );
}
