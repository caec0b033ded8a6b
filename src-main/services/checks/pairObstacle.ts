import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { hasChanges } from '../results/toolDifferences.ts';
import type { ReportComparison, ReportSide } from './compareReports.ts';

/** Why two sides can't be compared, in two sentences. */
export interface PairObstacle {
  cause: string;
  nextStep: string;
}

/**
 * What makes the comparison of two reports meaningless, or null: cases against tasks, tasks of two
 * modes or of two simulated users, nothing in common, or more than one possible cause.
 */
export function pairObstacle(
  { before, after }: { before: ReportSide; after: ReportSide },
  { baseline, candidate }: ReportComparison,
  when: PassedWhen,
  isOwnWhatIf = false,
): PairObstacle | null {
  const [from, to] = [before.from.report, after.from.report];
  if (from.unit !== to.unit)
    return {
      cause: 'One ran cases, and the other tasks.',
      nextStep: 'Compare evaluations of one kind.',
    };
  if (from.unit === 'task' && when === 'selection')
    return {
      cause: '“Tools only” applies to cases, and a task succeeds as a whole.',
      nextStep: 'Compare tasks without it.',
    };
  // A what-if that executes nothing is answered by what its base recorded.
  if (from.mode !== to.mode && !isOwnWhatIf)
    return {
      cause: `Their execution modes differ: ${from.mode}, ${to.mode}. Tools that answer differently can change how a task ends.`,
      nextStep: 'Compare evaluations of one execution mode.',
    };
  if (from.user !== to.user)
    return {
      cause: `Their simulated users differ: ${from.user ?? 'none'}, ${to.user ?? 'none'}. Another user says other things.`,
      nextStep: 'Compare evaluations with the same simulated user.',
    };
  if (candidate.sharedCases + candidate.notScored.length === 0)
    return {
      cause:
        candidate.changed.length > 0
          ? `All ${candidate.changed.length} shared ${from.unit}s changed between them.`
          : `They have no ${from.unit}s in common.`,
      nextStep: 'Compare evaluations of the same suite, or run one of them again.',
    };
  if (candidate.modelDiffers && hasChanges(candidate.tools))
    return {
      cause:
        `Both the model (${baseline.model}, ${candidate.model}) and the tools differ, so the cause ` +
        'of a difference would be unclear.',
      nextStep: 'Compare evaluations that have the model or the tools in common.',
    };
  return null;
}
