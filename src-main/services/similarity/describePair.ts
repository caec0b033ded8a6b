import type { PairDetail } from '../../../src-shared/contract/similarity.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SimilarityAnalysis, SimilarityPair } from '../../../src-shared/domain/similarity.ts';
import { finishInTurns } from '../../runtime/steps.ts';
import { advise } from '../../analysis/advice/advise.ts';
import { createDifferentiator } from '../../analysis/differentiate/differentiate.ts';
import { countWords, pairWords } from '../../analysis/differentiate/pairWords.ts';
import { parameterPairs } from '../../analysis/similarity/toolText.ts';
import type { Store } from '../../store/store.ts';
import { rankPairs, readRanked, type PairFilter } from '../../analysis/similarity/rankPairs.ts';
import type { Input, Output } from '../contractTypes.ts';
import { pairKey, ranksOf, type KeptAnalysis } from './keptAnalyses.ts';

const maxCases = 20;

/**
 * Everything that the detail view shows about a pair: words, parameters, issues, recommendations and
 * confusions in evaluations.
 */
export function describePair(
  { tools, toolIds }: SimilarityAnalysis,
  pair: SimilarityPair,
  store: Store,
  openSignals: ReadonlySet<string>,
): PairDetail {
  const [a, b] = [tools[pair.a], tools[pair.b]];
  if (!a || !b)
    throw new ServiceError('NOT_FOUND', {
      thing: 'The pair',
      cause: 'This analysis has no such pair.',
      nextStep: 'Choose one from the list.',
    });
  const words = pairWords(a, b, countWords(tools));
  const shared = new Set(words.parameters);
  const own = (tool: typeof a): string[] =>
    parameterPairs(tool).filter((parameter) => !shared.has(parameter));
  return {
    pair,
    sharedWords: words.shared,
    ownWords: words.own,
    sharedParameters: words.parameters,
    ownParameters: [own(a), own(b)],
    advice: advise({ tools, pairs: [pair], openSignals }),
    differentiation: createDifferentiator(tools, openSignals).advise(a, b, pair.similarityScore),
    confusions: store.toolConfusions.between(
      toolIds[pair.a] ?? '',
      toolIds[pair.b] ?? '',
      maxCases,
    ),
  };
}

/** The pairs with the highest score in scope, each with its rank among all pairs. */
export async function pagePairs(
  kept: KeptAnalysis,
  { scope, search, limit }: Omit<Input<'similarity', 'pairs'>, 'id'>,
  store: Store,
  signal: AbortSignal,
): Promise<Output<'similarity', 'pairs'>> {
  const { analysis, compared } = kept;
  const servers = analysis.tools.map(({ server }) => server);
  const searchTerm = search.trim().toLowerCase();
  const matchesSearch =
    searchTerm === ''
      ? null
      : analysis.toolIds.map((toolId) => toolId.toLowerCase().includes(searchTerm));
  const confused = store.toolConfusions.counts();
  const wasConfused = analysis.toolIds.map((toolId) => confused.has(toolId));
  const timesConfused = (a: number, b: number): number =>
    wasConfused[a] === true && wasConfused[b] === true
      ? confused.between(analysis.toolIds[a] ?? '', analysis.toolIds[b] ?? '')
      : 0;
  const isOfScope: Record<typeof scope, (a: number, b: number) => boolean> = {
    all: () => true,
    across: (a, b) => servers[a] !== servers[b],
    within: (a, b) => servers[a] === servers[b],
    confused: (a, b) => timesConfused(a, b) > 0,
  };
  const inScope: PairFilter = (a, b) =>
    isOfScope[scope](a, b) &&
    (matchesSearch === null || matchesSearch[a] === true || matchesSearch[b] === true);
  const ranked = await finishInTurns(rankPairs(compared.table, limit, inScope), signal);
  const pairs = await finishInTurns(readRanked(compared.prepared, ranked.pairs), signal);
  const ranks = await ranksOf(kept);
  return {
    rows: pairs.map((pair) => ({
      ...pair,
      rank: ranks.get(pairKey(pair)) ?? null,
      confused: timesConfused(pair.a, pair.b),
    })),
    total: ranked.total,
  };
}
