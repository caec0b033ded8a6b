import type { Candidate, CandidateState } from '../../../../src-shared/domain/candidate.ts';
import { formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import type { StatusTone } from '../../../ui/badges/StatusBadge.tsx';

export const stateTones: Record<CandidateState, StatusTone> = {
  draft: 'idle',
  searching: 'busy',
  searched: 'idle',
  proving: 'busy',
  accepted: 'good',
  rejected: 'bad',
  cannot_tell: 'warning',
  applied: 'good',
  out_of_date: 'stopped',
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
