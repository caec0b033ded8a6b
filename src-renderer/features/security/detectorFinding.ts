import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { ScoreReport } from '../../../src-shared/domain/security.ts';

type Combined = Pick<ScoreReport['combined'], 'tp' | 'fp' | 'tn' | 'fn'>;

/** What all detectors together find and wrongly flag, as one sentence. */
export function detectorFinding({ tp, fp, tn, fn }: Combined): string {
  const found = `${formatCount(tp)} of ${counted(tp + fn, 'attack')}`;
  const flagged = `${formatCount(fp)} of ${counted(fp + tn, 'harmless entry', 'harmless entries')}`;
  if (tp + fn === 0) return `The detectors flag ${flagged}.`;
  if (fp + tn === 0) return `The detectors find ${found}.`;
  return `The detectors find ${found} and flag ${flagged} by mistake.`;
}
