import { useAddress } from '../../ui/frame/useAddress.ts';
import { retrievalMetrics, type RetrievalMetric } from '../../../src-shared/domain/retrieval.ts';

/** Keeps the choices in the address, so that it can be copied and restored. */
export function useRetrievalChoices(fallbackGolden: string | undefined) {
  const [params, change] = useAddress();
  const metric: RetrievalMetric =
    retrievalMetrics.find((name) => name === params.get('metric')) ?? 'ndcg_at_10';
  return {
    golden: params.get('golden') ?? fallbackGolden ?? null,
    retrievers: (params.get('retrievers') ?? 'default,bm25').split(',').filter((id) => id !== ''),
    baseline: params.get('baseline'),
    metric,
    against: Number(params.get('against') ?? '1') || 0,
    shown: params.get('shown') ?? 'all',
    query: params.get('query'),
    lenient: params.has('lenient'),
    change,
  };
}
export type RetrievalChoices = ReturnType<typeof useRetrievalChoices>;
