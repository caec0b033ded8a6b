import { rankPairs, readRanked, type PairFilter } from '../../analysis/similarity/rankPairs.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { pairKey, ranksOf, type KeptAnalysis } from './keptAnalyses.ts';

/** The pairs with the highest score in scope, each with its rank among all pairs. */
export function pagePairs(
  kept: KeptAnalysis,
  { scope, search, limit }: Omit<Input<'similarity', 'pairs'>, 'id'>,
  store: Store,
): Output<'similarity', 'pairs'> {
  const { analysis, compared } = kept;
  const servers = analysis.tools.map(({ server }) => server);
  const searchTerm = search.trim().toLowerCase();
  const matchesSearch =
    searchTerm === ''
      ? null
      : analysis.toolIds.map((toolId) => toolId.toLowerCase().includes(searchTerm));
  const inScope: PairFilter = (a, b) =>
    (scope === 'all' || (servers[a] === servers[b]) === (scope === 'within')) &&
    (matchesSearch === null || matchesSearch[a] === true || matchesSearch[b] === true);
  const ranked = rankPairs(compared.table, limit, inScope);
  const ranks = ranksOf(kept);
  const confused = store.toolConfusions.counts();
  return {
    rows: readRanked(compared.prepared, ranked.pairs).map((pair) => ({
      ...pair,
      rank: ranks.get(pairKey(pair)) ?? null,
      confused: confused(analysis.toolIds[pair.a] ?? '', analysis.toolIds[pair.b] ?? ''),
    })),
    total: ranked.total,
  };
}
