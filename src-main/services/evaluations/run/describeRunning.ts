import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { Services } from '../../services.ts';

const maxListed = 20;

export interface RunningParts {
  evaluations: Pick<Services['evaluations'], 'list'>;
  settings: Pick<Services['settings'], 'sample'>;
}

/**
 * A sentence for each evaluation of either unit that is running and would be cancelled if the program ended now.
 * Empty where the list can't be read, so that a fault never keeps the program open. The sample's
 * is left out: nobody started it, and the next start resumes it.
 */
export async function describeRunning({ evaluations, settings }: RunningParts): Promise<string[]> {
  try {
    const cases = await evaluations.list({ limit: maxListed });
    const tasks = await evaluations.list({ unit: 'task', limit: maxListed, baseId: null });
    const sample = await settings.sample();
    const resumed = sample.evaluating ? (sample.evaluation?.id ?? null) : null;
    return [
      ...cases.map(({ counts: { total, open }, ...one }) => ({ ...one, name: '', total, open })),
      ...tasks.map(({ outcomes, ...one }) => {
        const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
        return { ...one, name: 'Task evaluation ', total, open: outcomes.not_run };
      }),
    ]
      .filter(({ id, state }) => !hasEnded(state) && id !== resumed)
      .map(
        ({ name, number, suiteName, total, open }) =>
          `${name}#${number} ${suiteName}: ${total - open} of ${total} runs done.`,
      );
  } catch {
    // The database may be closed by now; the list only adds to what is said anyway.
    return [];
  }
}
