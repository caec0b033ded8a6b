import type { TaskOutcome } from '../../../../src-shared/domain/task.ts';
import type { StatusTone } from '../../../ui/badges/StatusBadge.tsx';

const tones: Readonly<Record<TaskOutcome, StatusTone>> = {
  succeeded: 'good',
  check_failed: 'bad',
  limit: 'warning',
  loop: 'warning',
  refused: 'warning',
  no_answer: 'warning',
  not_scored: 'stopped',
};

/** How the outcome of a task run is marked; null: the run has not ended. */
export function taskTone(outcome: TaskOutcome | null): StatusTone {
  return outcome === null ? 'idle' : tones[outcome];
}
