import { useSearchParams } from 'react-router';
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
  const [params, setParams] = useSearchParams();
  const [a, b] = [toolIds.indexOf(params.get('a') ?? ''), toolIds.indexOf(params.get('b') ?? '')];
  const chosen = a >= 0 && b >= 0 && a !== b ? { a: Math.min(a, b), b: Math.max(a, b) } : null;
  return [
    chosen,
    (pair) =>
      setParams(
        (now) => {
          now.delete('a');
          now.delete('b');
          if (pair !== null) {
            now.set('a', toolIds[pair.a] ?? '');
            now.set('b', toolIds[pair.b] ?? '');
          }
          return now;
        },
        { replace: true },
      ),
  ];
}
