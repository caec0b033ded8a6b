import { categorise } from '../../scoring/confidence.ts';
import type { Store } from '../../store/store.ts';

/** Fewer repetitions say too little of how steady a choice is. */
export const minimumAgreement = 3;

/**
 * Gives every run that has no confidence of its own the share of its case's scored repetitions that selected the same (docs/rules.md §3, Confidence); from three on. In turns, so
 * that others have theirs. Returns how many runs got one.
 */
export async function applyAgreement(store: Store, evaluationId: string, highConfidence: number, signal?: AbortSignal): Promise<number> {
  const groups = Map.groupBy(store.results.steadiness(evaluationId), ({ modelSettingsId, position }) => `${modelSettingsId} ${position}`);
  let given = 0;
  const waiting: (() => void)[] = [];
  const commit = async (): Promise<void> => {
    const work = waiting.splice(0);
    store.transaction(() => {
      for (const each of work) each();
    });
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (const runs of groups.values()) {
    if (runs.length < minimumAgreement) continue;
    for (const run of runs) {
      if (run.method !== null && run.method !== 'agreement') continue;
      const score = runs.filter(({ selected }) => selected === run.selected).length / runs.length;
      const confidence = { score, method: 'agreement' as const };
      given += 1;
      waiting.push(() => {
        store.results.setConfidence(run.id, confidence, categorise(confidence, run.right, highConfidence));
      });
    }
    if (waiting.length >= 500) await commit();
    if (signal?.aborted === true) break;
  }
  if (waiting.length > 0) await commit();
  return given;
}
