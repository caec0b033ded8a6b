import {
  type GoldenQuery,
  type RetrievalMetric,
  isHardNegative,
} from '../../../src-shared/domain/retrieval.ts';
import type { RetrievalComparison } from '../../../src-shared/domain/retrievalRun.ts';

export type Outcome = 'win' | 'loss' | 'tie';

export interface QueryRow {
  id: string;
  query: string;
  hard: boolean;
  /** Rank of the first relevant tool per retriever; null if none is ranked. */
  ranks: (number | null)[];
  /** The second retriever against the first, by the chosen metric; null with one retriever. */
  outcome: Outcome | null;
  difference: number;
}

/** The place of the retriever that is compared with the first one; 0 if there is only one. */
export function comparedWith({ results }: RetrievalComparison, chosen: number): number {
  return Math.min(Math.max(results.length > 1 ? 1 : 0, chosen), results.length - 1);
}

const tolerance = 1e-12;

/** One row per scored query, with whether the chosen retriever wins or loses against the first. */
export function queryRows(
  { queries, results }: RetrievalComparison,
  metric: RetrievalMetric,
  against: number,
): QueryRow[] {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const [first] = results;
  if (!first) return [];
  const other = results[against];
  return first.perQuery.map((entry, at): QueryRow => {
    const query: GoldenQuery | undefined = byId.get(entry.id);
    const value = other?.perQuery[at]?.values[metric];
    const difference = value === undefined ? 0 : value - entry.values[metric];
    const outcome =
      against === 0 || value === undefined
        ? null
        : Math.abs(difference) < tolerance
          ? 'tie'
          : difference > 0
            ? 'win'
            : 'loss';
    return {
      id: entry.id,
      query: query?.query ?? '',
      hard: query ? isHardNegative(query) : false,
      ranks: results.map((result) => result.perQuery[at]?.firstRelevant ?? null),
      outcome,
      difference,
    };
  });
}

export function countOutcomes(rows: readonly QueryRow[]): Record<Outcome, number> {
  const counts = { win: 0, loss: 0, tie: 0 };
  for (const { outcome } of rows) if (outcome) counts[outcome] += 1;
  return counts;
}
