import { useAddress } from '../../../ui/frame/useAddress.ts';
import type { SimilarityAnalysis } from '../../../../src-shared/domain/similarity.ts';

/** Places of two tools in an analysis, the smaller one first. */
export interface ChosenPair {
  a: number;
  b: number;
}

/** The open pair is part of the address, by the ids of its tools. */
export function useChosenPair(
  props: SimilarityAnalysis,
): [ChosenPair | null, (pair: ChosenPair | null) => void] {
  const { toolIds } = props;
  const [params, change] = useAddress();
  const [a, b] = [toolIds.indexOf(params.get('a') ?? ''), toolIds.indexOf(params.get('b') ?? '')];
  const chosen = a >= 0 && b >= 0 && a !== b ? { a: Math.min(a, b), b: Math.max(a, b) } : null;
  return [
    chosen,
    (pair) => change({ a: toolIds[pair?.a ?? -1] ?? null, b: toolIds[pair?.b ?? -1] ?? null }),
  ];
}
