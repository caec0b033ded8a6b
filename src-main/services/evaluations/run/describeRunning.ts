import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { Services } from '../../services.ts';

const timeoutMs = 2_000;

/**
 * What would be broken off if the program ended now: a sentence for each evaluation under way. A
 * core that does not answer in time keeps nobody in.
 */
export async function describeRunning(
  evaluations: Pick<Services['evaluations'], 'list'>,
): Promise<string[]> {
  try {
    const list = await evaluations.list({ limit: 20 }, { signal: AbortSignal.timeout(timeoutMs) });
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
