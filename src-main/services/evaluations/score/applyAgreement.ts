import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { categorise } from '../../../scoring/confidence.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/** Fewer repetitions say too little about how steady a choice is. */
export const minAgreement = 3;

/** Cases that are read and written before the event loop gets a turn. */
const pageSize = 25;

/**
 * Sets the confidence of every run that has none of its own to the share of its case's scored
 * repetitions that selected the same (docs/rules.md §3, Confidence). Needs at least `minAgreement`
 * repetitions. Returns the number of runs that were set.
 */
export async function applyAgreement(
  store: Store,
  { id: evaluationId, settings }: Pick<EvaluationRow, 'id' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  if (settings.repetitions < minAgreement) return 0;
  const last = store.results.lastPosition(evaluationId) ?? -1;
  const yieldIfDue = createYielder();
  let updated = 0;
  for (let from = 0; from <= last && signal?.aborted !== true; from += pageSize) {
    updated += store.transaction(() =>
      applyPage(store, evaluationId, settings.highConfidence, from),
    );
    await yieldIfDue();
  }
  return updated;
}

/**
 * Clears agreement, page by page: the runs of a resume change it, and until they are done it would
 * be based on fewer repetitions.
 */
export function* clearAgreement(
  store: Store,
  { id: evaluationId, settings }: Pick<EvaluationRow, 'id' | 'settings'>,
): Generator<undefined, void> {
  if (settings.repetitions < minAgreement) return;
  const last = store.results.lastPosition(evaluationId) ?? -1;
  for (let from = 0; from <= last; from += pageSize) {
    for (const { id, method } of store.results.steadiness(evaluationId, from, from + pageSize))
      if (method === 'agreement') store.results.setConfidence(id, null, 'unmeasured');
    yield;
  }
}

/**
 * Applies agreement to the cases of one page; cases of one model are compared with each other only.
 */
function applyPage(
  store: Store,
  evaluationId: string,
  highConfidence: number,
  from: number,
): number {
  const groups = Map.groupBy(
    store.results.steadiness(evaluationId, from, from + pageSize),
    ({ modelSettingsId, position }) => `${modelSettingsId} ${position}`,
  );
  let updated = 0;
  for (const runs of groups.values()) {
    if (runs.length < minAgreement) continue;
    for (const run of runs) {
      if (run.method !== null && run.method !== 'agreement') continue;
      const score = runs.filter(({ selected }) => selected === run.selected).length / runs.length;
      const confidence = { score, method: 'agreement' as const };
      store.results.setConfidence(
        run.id,
        confidence,
        categorise(confidence, run.right, highConfidence),
      );
      updated += 1;
    }
  }
  return updated;
}
