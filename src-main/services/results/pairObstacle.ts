import type { CandidateComparison, PassedWhen } from '../../../src-shared/domain/comparison.ts';
import type { Side, Terms } from './side.ts';
import { hasChanges } from './toolDifferences.ts';

/** Why two sides can't be compared, in two sentences. */
export interface PairObstacle {
  cause: string;
  nextStep: string;
}

/** What makes two results incomparable whatever was asked of them; empty if nothing does. */
export function termObstacles(before: Terms, after: Terms, isOwnWhatIf = false): PairObstacle[] {
  if (before.unit !== after.unit)
    return [
      {
        cause: `One ran ${before.unit}s, and the other ${after.unit}s.`,
        nextStep: 'Compare evaluations of one kind.',
      },
    ];
  return [
    // A what-if that executes nothing is answered by what its base recorded.
    ...(before.mode === after.mode || isOwnWhatIf
      ? []
      : [
          {
            cause: `Their execution modes differ: ${before.mode}, ${after.mode}. Tools that answer differently can change how a task ends.`,
            nextStep: 'Compare evaluations of one execution mode.',
          },
        ]),
    ...(before.user === after.user
      ? []
      : [
          {
            cause: `Their simulated users differ: ${before.user ?? 'none'}, ${after.user ?? 'none'}. Another user says other things.`,
            nextStep: 'Compare evaluations with the same simulated user.',
          },
        ]),
  ];
}

/**
 * What makes a comparison meaningless, or null: cases against tasks, tasks of two modes or of two
 * simulated users, nothing in common, or more than one possible cause. The only such rule, whether
 * the sides come from the workspace or from reports.
 */
export function pairObstacle(
  before: Terms & Pick<Side, 'shown'>,
  after: Terms & Pick<Side, 'baseId'>,
  candidate: Pick<
    CandidateComparison,
    'model' | 'sharedCases' | 'notScored' | 'changed' | 'modelDiffers' | 'tools'
  >,
  when: PassedWhen,
): PairObstacle | null {
  const isOwnWhatIf = after.baseId !== null && after.baseId === before.shown.evaluationId;
  const [first] = termObstacles(before, after, isOwnWhatIf);
  if (first !== undefined) return first;
  if (before.unit === 'task' && when === 'selection')
    return {
      cause: '“Tools only” applies to cases, and a task succeeds as a whole.',
      nextStep: 'Compare tasks without it.',
    };
  if (candidate.sharedCases + candidate.notScored.length === 0)
    return {
      cause:
        candidate.changed.length > 0
          ? `All ${candidate.changed.length} shared ${before.unit}s changed between them.`
          : `They have no ${before.unit}s in common.`,
      nextStep: 'Compare evaluations of the same suite, or run one of them again.',
    };
  if (candidate.modelDiffers && hasChanges(candidate.tools))
    return {
      cause:
        `Both the model (${before.shown.model}, ${candidate.model}) and the tools differ, so the cause ` +
        'of a difference would be unclear.',
      nextStep: 'Compare evaluations that have the model or the tools in common.',
    };
  return null;
}
