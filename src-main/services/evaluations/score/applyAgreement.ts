import { categorise } from '../../../scoring/confidence.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { createTurns } from '../../../runtime/turns.ts';

/** Fewer repetitions say too little of how steady a choice is. */
export const minAgreement = 3;

/** Cases that are read and written in one turn. */
const pageSize = 25;

/**
 * Gives every run that has no confidence of its own the share of its case's scored repetitions that
 * selected the same (docs/rules.md §3, Confidence); from three on. In turns, so that others have
 * theirs. Returns how many runs got one.
 */
export async function applyAgreement(
  store: Store,
  { id: evaluationId, settings }: Pick<EvaluationRow, 'id' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  if (settings.repetitions < minAgreement) return 0;
  const last = store.results.lastPosition(evaluationId) ?? -1;
  const turn = createTurns();
  let updated = 0;
  for (let from = 0; from <= last && signal?.aborted !== true; from += pageSize) {
    updated += store.transaction(() =>
      applyPage(store, evaluationId, settings.highConfidence, from),
    );
    await turn();
  }
  return updated;
}

/**
 * Takes agreement away again, page by page: the runs that a resume adds change it, and until they
 * are there it would be that of fewer.
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
