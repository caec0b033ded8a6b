import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { Services } from '../../services.ts';

const timeoutMs = 2_000;

/**
 * A sentence for each running evaluation, shown before the program ends. Returns none when the core
 * does not respond in time: that must not keep anyone from quitting.
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
