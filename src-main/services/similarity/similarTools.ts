import { readPair } from '../../analysis/similarity/prepare.ts';
import type { Compared } from './similarityEngine.ts';

export interface SimilarTools {
  /** The most similar tool of each, by id; of equally similar ones the first. */
  mostSimilar: ReadonlyMap<string, { toolId: string; similarity: number }>;
  /** How similar two tools are, 0–1; undefined if one of them was not compared. */
  similarity: (a: string, b: string) => number | undefined;
}

/** Reads the table of pairs by tool. `compared` is null for fewer than two tools. */
export function similarTools(ids: readonly string[], compared: Compared | null): SimilarTools {
  const places = new Map(ids.map((id, at) => [id, at]));
  const best = ids.map(() => ({ at: -1, steps: -1 }));
  const offer = (a: number, b: number, steps: number): void => {
    const known = best[a];
    if (known && steps > known.steps) best[a] = { at: b, steps };
  };
  compared?.table.each((a, b, steps) => {
    offer(a, b, steps);
    offer(b, a, steps);
  });
  const scoreOf = (a: number, b: number): number =>
    compared === null ? 0 : readPair(compared.prepared, Math.min(a, b), Math.max(a, b)).score;
  return {
    mostSimilar: new Map(
      ids.flatMap((id, at) => {
        const other = best[at]?.at ?? -1;
        const found = ids[other];
        return found === undefined
          ? []
          : [[id, { toolId: found, similarity: scoreOf(at, other) }] as const];
      }),
    ),
    similarity(a, b) {
      const [first, second] = [places.get(a), places.get(b)];
      return first === undefined || second === undefined || first === second
        ? undefined
        : scoreOf(first, second);
    },
  };
}
