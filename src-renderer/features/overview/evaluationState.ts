import type { Evaluation, EvaluationState } from '../../../src-shared/domain/evaluation.ts';
import type { StatusTone } from '../../ui/StatusBadge.tsx';

const states: Record<EvaluationState, { tone: StatusTone; label: string }> = {
  planned: { tone: 'busy', label: 'Starting' },
  running: { tone: 'busy', label: 'Running' },
  completed: { tone: 'good', label: 'Completed' },
  incomplete: { tone: 'warning', label: 'Incomplete' },
  cancelled: { tone: 'stopped', label: 'Cancelled' },
  interrupted: { tone: 'warning', label: 'Interrupted' },
};

export function evaluationBadge(evaluation: Pick<Evaluation, 'state'>): { tone: StatusTone; label: string } {
  return states[evaluation.state];
}

/** Share of the runs that have ended, 0–100; null while none is planned. */
export function percentDone({ counts }: Pick<Evaluation, 'counts'>): number | null {
  return counts.total === 0 ? null : (100 * (counts.total - counts.open)) / counts.total;
}
