import type { GoldenQuery, RetrievalReport } from '../../../../src-shared/domain/retrieval.ts';
import type {
  RetrievalComparison,
  RetrieverResult,
} from '../../../../src-shared/domain/retrievalRun.ts';

type Values = RetrieverResult['metrics'];

/** A mean as a number; the schema has no null here, and an empty set of queries scores 0. */
const numberOf = (metrics: Values, metric: keyof Values): number => metrics[metric].value ?? 0;

/** The JSON fields of one retriever. `queryOf` are the queries by ID. */
function resultShape(
  { retriever, title, metrics, differences, perQuery, baselineDelta, gate }: RetrieverResult,
  queryOf: ReadonlyMap<string, GoldenQuery>,
) {
  return {
    retriever,
    title,
    metrics: {
      recall_at: {
        1: numberOf(metrics, 'recall_at_1'),
        3: numberOf(metrics, 'recall_at_3'),
        5: numberOf(metrics, 'recall_at_5'),
        10: numberOf(metrics, 'recall_at_10'),
      },
      mrr: numberOf(metrics, 'mrr'),
      ndcg_at_10: numberOf(metrics, 'ndcg_at_10'),
      map: numberOf(metrics, 'map'),
    },
    intervals: metrics,
    differences,
    per_query: perQuery.map(({ id, values, top, ranked, firstRelevant }) => ({
      id,
      labels: queryOf.get(id)?.labels ?? [],
      difficulty: queryOf.get(id)?.difficulty ?? null,
      ranking: top,
      ranked,
      first_relevant: firstRelevant,
      recall_at_1: values.recall_at_1,
      recall_at_3: values.recall_at_3,
      recall_at_5: values.recall_at_5,
      recall_at_10: values.recall_at_10,
      rr: values.mrr,
      ndcg_at_10: values.ndcg_at_10,
      ap: values.map,
    })),
    baseline_delta: baselineDelta,
    gate,
  };
}

/**
 * The JSON document of `retrieval` for the first retriever, with intervals; the others are in
 * `compared`.
 */
export function retrievalShape({
  corpusVersion,
  goldenVersion,
  queries,
  leftOut,
  results,
}: RetrievalComparison) {
  const queryOf = new Map(queries.map((query) => [query.id, query]));
  const [first, ...others] = results.map((result) => resultShape(result, queryOf));
  return {
    corpus_version: corpusVersion,
    golden_version: goldenVersion,
    queries: results[0]?.perQuery.length ?? 0,
    left_out: leftOut,
    ...first,
    compared: others,
  } satisfies Partial<RetrievalReport> & Record<string, unknown>;
}
