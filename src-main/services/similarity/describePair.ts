import type { PairDetail } from '../../../src-shared/contract/similarity.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SimilarityAnalysis, SimilarityPair } from '../../../src-shared/domain/similarity.ts';
import { advise } from '../../analysis/advice/advise.ts';
import { createDifferentiator } from '../../analysis/differentiate/differentiate.ts';
import { countWords, pairWords } from '../../analysis/differentiate/pairWords.ts';
import { parameterPairs } from '../../analysis/similarity/toolText.ts';
import type { Store } from '../../store/store.ts';

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
