import type { ModelLatency } from '../../../src-shared/domain/analysis.ts';
import { latencyHistogram } from '../../../src-shared/metrics/latencyHistogram.ts';
import type { Store } from '../../store/store.ts';

/** The latencies of scored runs by model, in the order of the evaluation's models. */
export function readLatencies(store: Store, evaluationId: string): ModelLatency[] {
  const byModel = new Map<string, number[]>(
    store.evaluations.get('case', evaluationId)?.modelSettingsIds.map((id) => [id, []]),
  );
  for (const [modelSettingsId, milliseconds] of store.runFolds.latencies(evaluationId))
    byModel.get(modelSettingsId)?.push(milliseconds);
  return [...byModel].map(([modelSettingsId, values]) => ({
    modelSettingsId,
    ...latencyHistogram(values),
  }));
}
