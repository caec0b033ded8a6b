import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationsService } from '../evaluationsService.ts';

/**
 * A sentence for each evaluation that is running and would be cancelled if the program ended now.
 * Empty where the list can't be read, so that a fault never keeps the program open.
 */
export async function describeRunning(
  evaluations: Pick<EvaluationsService, 'list'>,
): Promise<string[]> {
  try {
    const list = await evaluations.list({ limit: 20 });
    return list
      .filter(({ state }) => !hasEnded(state))
      .map(
        ({ number, suiteName, counts }) =>
          `#${number} ${suiteName}: ${counts.total - counts.open} of ${counts.total} runs done.`,
      );
  } catch {
    return [];
  }
}
