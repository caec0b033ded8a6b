import type { RetrievalMetric } from '../../../src-shared/domain/retrieval.ts';
import type {
  RetrievalComparison,
  RetrieverResult,
} from '../../../src-shared/domain/retrievalRun.ts';
import { formatPercent } from '../../../src-shared/display/numbers.ts';
import { recallMeaning } from '../../../src-shared/display/retrievalMetricTexts.ts';
import { queryRows } from './outcomes.ts';

export const recallKs = [1, 3, 5, 10] as const;

export const recallAt = (
  { metrics }: Pick<RetrieverResult, 'metrics'>,
  k: (typeof recallKs)[number],
): RetrieverResult['metrics'][RetrievalMetric] => metrics[`recall_at_${k}`];

type Recalls = Pick<RetrieverResult, 'retriever' | 'metrics'>;

const byRecall = (results: readonly Recalls[]) =>
  results
    .map((result) => ({ result, name: result.retriever, value: recallAt(result, 5).value ?? 0 }))
    .sort((a, b) => b.value - a.value);

/** What the best retriever means for a model that is offered what it finds, and what to do. */
export function bestMeaning(results: readonly Recalls[]): string | null {
  const [best] = byRecall(results);
  return best ? recallMeaning(best.name, (k) => recallAt(best.result, k).value) : null;
}

/** Which retriever finds most among the first five, as a sentence. */
export function recallFinding(results: readonly Recalls[]): string {
  const [best, second] = byRecall(results);
  if (!best) return 'No retriever was measured';
  const recall = formatPercent(best.value);
  if (!second)
    return `The ${best.name} retriever finds ${recall} of the relevant tools among the first 5`;
  if (best.value === second.value)
    return `The retrievers ${best.name} and ${second.name} find the most: ${recall} of the relevant tools among the first 5`;
  return `The ${best.name} retriever finds the most: ${recall} of the relevant tools among the first 5`;
}

interface Tally {
  better: number;
  worse: number;
  same: number;
}

/** The queries with different values for two retrievers, the largest difference first. */
export function largestDifferences(
  comparison: RetrievalComparison,
  metric: RetrievalMetric,
  against: number,
): Tally & { rows: { id: string; name: string; values: [number, number] }[] } {
  const rows = queryRows(comparison, metric, against);
  const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  const valueOf = new Map(
    comparison.results[0]?.perQuery.map(({ id, values }) => [id, values[metric]]),
  );
  return {
    better: count('win'),
    worse: count('loss'),
    same: count('tie'),
    rows: rows
      .filter(({ outcome }) => outcome === 'win' || outcome === 'loss')
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
      .map(({ id, query, difference }) => {
        const value = valueOf.get(id) ?? 0;
        return { id, name: query, values: [value, value + difference] };
      }),
  };
}

/** On how many queries one of two retrievers is better and worse; the one that wins more first. */
export function differenceFinding(name: string, first: string, { better, worse }: Tally): string {
  if (better === 0 && worse === 0)
    return `The retrievers ${name} and ${first} give the same result on every query`;
  const [winner, loser, more, fewer] =
    better >= worse ? [name, first, better, worse] : [first, name, worse, better];
  return `The ${winner} retriever is better than ${loser} on ${more} queries and worse on ${fewer}`;
}
