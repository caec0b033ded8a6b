import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type {
  OptimizationResult,
  OptimizationSettings,
  OptimizationState,
  OptimizationStep,
} from '../../../../src-shared/domain/optimization.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { StatusTone } from '../../../ui/badges/StatusBadge.tsx';

interface Badge {
  tone: StatusTone;
  label: string;
}

export const stateBadges: Readonly<Record<OptimizationState, Badge>> = {
  running: { tone: 'busy', label: 'Running' },
  paused: { tone: 'stopped', label: 'Paused' },
  interrupted: { tone: 'warning', label: 'Interrupted' },
  cancelled: { tone: 'stopped', label: 'Cancelled' },
  failed: { tone: 'bad', label: 'Failed' },
  nothing_found: { tone: 'idle', label: 'Nothing found' },
  accepted: { tone: 'good', label: 'Proven' },
  rejected: { tone: 'bad', label: 'Rejected' },
  cannot_tell: { tone: 'warning', label: 'Undecided' },
};

const stepBadges: Readonly<Record<OptimizationStep['result'], Badge>> = {
  best: { tone: 'good', label: 'New best' },
  kept: { tone: 'idle', label: 'In the pool' },
  no_gain: { tone: 'stopped', label: 'No gain' },
  refused: { tone: 'bad', label: 'Refused' },
};

/** How a step ended; the step that was proved has the verdict of its proof. */
export function stepBadge(
  { step, result }: OptimizationStep,
  state: OptimizationState,
  proved: OptimizationResult | null,
): Badge {
  return proved?.step === step ? stateBadges[state] : stepBadges[result];
}

/** What is improved, in one or two words. */
export const objectiveLabel = (
  objective: OptimizationSettings['objective'],
  unit: EvaluationUnit,
): string => ({ accuracy: rateLabel(unit), tokens: 'Tokens', both: 'Both' })[objective];

/** The rate that counts, as a heading: `Pass rate`, `Success rate`. */
export const rateLabel = (unit: EvaluationUnit): string =>
  unit === 'task' ? 'Success rate' : 'Pass rate';

/** Who writes the candidates, in one word or the name of a model. */
export const proposerText = ({ proposer }: OptimizationSettings): string =>
  proposer.kind === 'model'
    ? modelLabel(proposer.model)
    : proposer.kind === 'rules'
      ? 'rules'
      : 'hand';
