import { packedScore, scoreSteps } from '../../analysis/similarity/pairTable.ts';
import { readPair } from '../../analysis/similarity/prepare.ts';
import { rankPairs, type PairFilter } from '../../analysis/similarity/rankPairs.ts';
import type { Input, Output } from '../contractTypes.ts';
import type { KeptAnalysis } from './keptAnalyses.ts';
import type { Compared } from './similarityEngine.ts';

/** A filter for pairs that are flagged at a threshold. */
export function flagFilter({ prepared }: Compared, threshold: number): PairFilter {
  const step = Math.round(threshold * scoreSteps);
  return (a, b, packed) => {
    const score = packedScore(packed);
    // Table scores are rounded: near the threshold the exact score decides.
    return Math.abs(score - step) > 1 ? score > step : readPair(prepared, a, b, threshold).flagged;
  };
}

/** The pairs with the highest overlap, with totals of all pairs in scope. */
export function pagePairs(
  { analysis, compared }: KeptAnalysis,
  { threshold, scope, flaggedOnly, search, limit }: Omit<Input<'similarity', 'pairs'>, 'id'>,
): Output<'similarity', 'pairs'> {
  const { prepared, table } = compared;
  const servers = analysis.tools.map(({ server }) => server);
  const searchTerm = search.trim().toLowerCase();
  const matchesSearch =
    searchTerm === ''
      ? null
      : analysis.toolIds.map((toolId) => toolId.toLowerCase().includes(searchTerm));
  let flagged = 0;
  const inScope: PairFilter = (a, b) =>
    (scope === 'all' || (servers[a] === servers[b]) === (scope === 'within')) &&
    (matchesSearch === null || matchesSearch[a] === true || matchesSearch[b] === true);
  const isFlagged = flagFilter(compared, threshold);
  table.each((a, b, packed) => {
    if (inScope(a, b, packed) && isFlagged(a, b, packed)) flagged += 1;
  });
  const ranked = rankPairs(
    table,
    limit,
    flaggedOnly ? (a, b, packed) => inScope(a, b, packed) && isFlagged(a, b, packed) : inScope,
  );
  return {
    rows: ranked.pairs.map(({ a, b }) => readPair(prepared, a, b, threshold)),
    total: ranked.total,
    flagged,
  };
}
