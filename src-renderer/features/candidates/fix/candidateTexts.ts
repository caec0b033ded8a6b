import type { Candidate, CandidateState } from '../../../../src-shared/domain/candidate.ts';
import { formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import type { StatusTone } from '../../../ui/badges/StatusBadge.tsx';

export const candidateStates: Record<CandidateState, { tone: StatusTone; label: string }> = {
  draft: { tone: 'idle', label: 'Not tried' },
  searching: { tone: 'busy', label: 'Estimating' },
  searched: { tone: 'idle', label: 'Estimated' },
  proving: { tone: 'busy', label: 'Verifying' },
  accepted: { tone: 'good', label: 'Proven better' },
  rejected: { tone: 'bad', label: 'Not better' },
  cannot_tell: { tone: 'warning', label: 'Not decided' },
};

export const sources: Record<Candidate['source'], string> = {
  hand: 'by hand',
  rule: 'from advice',
  model: 'by a model',
};

/** Fixed and broken cases of a half: `3 fixed, 1 broken of 30`; a dash if it wasn’t tried. */
export function flipsText(result: { won: number; lost: number; cases: number } | null): string {
  return result === null
    ? '–'
    : `${formatCount(result.won)} fixed, ${formatCount(result.lost)} broken of ${formatCount(result.cases)}`;
}

export const proofText = ({ proof }: Candidate): string =>
  proof === null ? '–' : `${flipsText(proof)}, p = ${formatPValue(proof.pValue)}`;
