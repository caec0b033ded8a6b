import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { Services } from '../../services.ts';

export interface RunningParts {
  evaluations: Pick<Services['evaluations'], 'list'>;
  settings: Pick<Services['settings'], 'sample'>;
}

/**
 * A sentence for each evaluation that is running and would be cancelled if the program ended now.
 * Empty where the list can't be read, so that a fault never keeps the program open. The sample's
 * is left out: nobody started it, and the next start resumes it.
 */
export async function describeRunning({ evaluations, settings }: RunningParts): Promise<string[]> {
  try {
    const list = await evaluations.list({ limit: 20 });
    const sample = await settings.sample();
    const resumed = sample.evaluating ? (sample.evaluation?.id ?? null) : null;
    return list
      .filter(({ id, state }) => !hasEnded(state) && id !== resumed)
      .map(
        ({ number, suiteName, counts }) =>
          `#${number} ${suiteName}: ${counts.total - counts.open} of ${counts.total} runs done.`,
      );
  } catch {
    return [];
  }
}
