import { z } from 'zod';
import { draws } from './draws.ts';
import { wilsonOf } from './intervals.ts';
import { reasons } from './reasons.ts';
import type { Path, Recount } from './recount.ts';

const query = z.looseObject({
  id: z.string(),
  labels: z.array(z.object({ tool_id: z.string(), relevance: z.number() })),
  ranking: z.array(z.string()),
  ranked: z.number(),
});
const retriever = z.looseObject({
  per_query: z.array(query),
  baseline_delta: z.record(z.string(), z.number()).nullable(),
  gate: z.looseObject({ tolerance: z.record(z.string(), z.number()) }).nullable(),
});
const retrievalRows = retriever.extend({ compared: z.array(retriever) });
type Query = z.infer<typeof query>;
type Retriever = z.infer<typeof retriever>;

const cutoffs = [1, 3, 5, 10] as const;
/** The metrics by the names of intervals and gates, with the row's field where there is one. */
const fields = {
  recall_at_1: 'recall_at_1',
  recall_at_3: 'recall_at_3',
  recall_at_5: 'recall_at_5',
  recall_at_10: 'recall_at_10',
  mrr: 'rr',
  ndcg_at_10: 'ndcg_at_10',
  map: 'ap',
} as const;
type Scores = Record<(typeof fields)[keyof typeof fields], number>;

/** Compares every metric with the rankings and labels of the queries. */
export function recountRetrieval(document: unknown, recount: Recount): void {
  const first = retrievalRows.parse(document);
  recount.rows('version', ...['gate', 'compared[*].gate']);
  recount.compare(['differences'], null);
  const ofEach = (names: readonly string[]) =>
    names.flatMap((name) => [name, `compared[*].${name}`]);
  recount.notChecked('generated', reasons.times);
  recount.notCheckedAll(reasons.ids, ['corpus_version', 'golden_version', 'left_out']);
  recount.notCheckedAll(
    'taken from the row as people labeled it',
    ofEach(['per_query[*].id', 'per_query[*].labels', 'per_query[*].difficulty']),
  );
  recount.notCheckedAll(
    'taken from the row as the retriever answered',
    ofEach(['per_query[*].ranking', 'per_query[*].ranked']),
  );
  recount.notCheckedAll(reasons.settings, ofEach(['retriever', 'title', 'gate.tolerance']));
  for (const path of ['baseline_delta', 'compared[*].baseline_delta'])
    recount.notChecked(path, 'the baseline is in another file');
  recount.compare(['queries'], first.per_query.length);
  const base = compareRetriever([], first, null, recount);
  for (const [at, other] of first.compared.entries())
    compareRetriever(['compared', at], other, base, recount);
}

function compareRetriever(
  path: Path,
  { per_query: queries, gate, baseline_delta: delta }: Retriever,
  base: readonly Scores[] | null,
  recount: Recount,
): readonly Scores[] {
  const scores = queries.map(scoresOf);
  for (const [at, own] of scores.entries()) {
    const row = [...path, 'per_query', at];
    if (isWhole(queries[at])) recount.compare(row, own);
    else
      recount.notChecked(
        'per_query[*]',
        'where a relevant tool is below the listed part of a ranking',
      );
  }
  for (const [at, each] of queries.entries())
    if (isWhole(each))
      recount.compare([...path, 'per_query', at, 'first_relevant'], firstRank(each));
  if (!queries.every(isWhole)) return scores;
  const mean = (field: keyof Scores) => meanOf(scores.map((one) => one[field]));
  recount.compare([...path, 'metrics'], {
    recall_at: Object.fromEntries(cutoffs.map((k) => [k, mean(`recall_at_${k}`)])),
    mrr: mean('rr'),
    ndcg_at_10: mean('ndcg_at_10'),
    map: mean('ap'),
  });
  for (const [metric, field] of Object.entries(fields)) {
    compareMean(
      [...path, 'intervals', metric],
      scores.map((one) => one[field]),
      recount,
    );
    if (base === null) continue;
    const differences = scores.map((one, at) => one[field] - (base[at]?.[field] ?? 0));
    compareMean([...path, 'differences', metric], differences, recount, true);
  }
  if (gate !== null) {
    const failed = Object.entries(gate.tolerance)
      .filter(([metric, allowed]) => -(delta?.[metric] ?? 0) > allowed + 1e-9)
      .map(([metric]) => metric);
    recount.compare([...path, 'gate', 'passed'], failed.length === 0);
    recount.compare([...path, 'gate', 'failed'], failed);
  }
  return scores;
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const relevant = ({ labels }: Query): string[] =>
  labels.filter(({ relevance }) => relevance >= 1).map((label) => label.tool_id);

/** True if nothing that counts is below the part of the ranking that is listed. */
const isWhole = (each: Query | undefined): boolean =>
  each !== undefined &&
  (each.ranked === each.ranking.length || relevant(each).every((id) => each.ranking.includes(id)));

function firstRank(each: Query): number | null {
  const ranks = relevant(each)
    .map((id) => each.ranking.indexOf(id))
    .filter((at) => at >= 0);
  return ranks.length === 0 ? null : Math.min(...ranks) + 1;
}

/** Recall, reciprocal rank, nDCG and average precision as trec_eval defines them. */
function scoresOf(each: Query): Scores {
  const wanted = relevant(each);
  const ranks = wanted
    .map((id) => each.ranking.indexOf(id) + 1)
    .filter((rank) => rank > 0)
    .sort((a, b) => a - b);
  const recall = (k: number) => ranks.filter((rank) => rank <= k).length / wanted.length;
  const gain = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, value, at) => sum + value / Math.log2(at + 2), 0);
  const relevance = new Map(each.labels.map((label) => [label.tool_id, label.relevance]));
  const ideal = gain([...relevance.values()].sort((a, b) => b - a));
  return {
    recall_at_1: recall(1),
    recall_at_3: recall(3),
    recall_at_5: recall(5),
    recall_at_10: recall(10),
    rr: ranks[0] === undefined ? 0 : 1 / ranks[0],
    ndcg_at_10: gain(each.ranking.map((id) => relevance.get(id) ?? 0)) / ideal,
    ap: ranks.reduce((sum, rank, at) => sum + (at + 1) / rank, 0) / wanted.length,
  };
}

/**
 * A mean with its bootstrap interval. Our own resamples are drawn with other random numbers, so the
 * ends are compared with the range that four standard errors of both draws leave open.
 */
function compareMean(
  path: Path,
  values: readonly number[],
  recount: Recount,
  isDifference = false,
): void {
  const n = values.length;
  if (n === 0) return;
  recount.compare([...path, 'value'], meanOf(values));
  recount.compare([...path, 'n'], n);
  const [first = 0] = values;
  if (values.every((value) => Math.abs(value - first) < 1e-12)) {
    const share = wilsonOf(0, n).high;
    const interval = isDifference
      ? { low: first - share * (first + 1), high: first + share * (1 - first) }
      : wilsonOf(first, n);
    recount.compare(path, interval);
    return;
  }
  const means = resampledMeans(values);
  const at = (share: number): number => means[Math.round(share * (means.length - 1))] ?? 0;
  recount.compareRange([...path, 'low'], at(0.016), at(0.034));
  recount.compareRange([...path, 'high'], at(0.966), at(0.984));
}

function resampledMeans(values: readonly number[]): Float64Array {
  const draw = draws();
  const means = new Float64Array(10_000);
  for (let resample = 0; resample < means.length; resample += 1) {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += values[draw(values.length)] ?? 0;
    means[resample] = sum / values.length;
  }
  return means.sort();
}
