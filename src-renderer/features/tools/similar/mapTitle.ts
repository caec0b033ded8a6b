import { pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import {
  isFlagged,
  type SimilarityAnalysis,
  type SimilarityPair,
} from '../../../../src-shared/domain/similarity.ts';

/** Where the similar pairs are, as a sentence. */
export function mapTitle(
  { tools }: Pick<SimilarityAnalysis, 'tools'>,
  ranked: readonly SimilarityPair[],
  threshold: number,
): string {
  const flagged = ranked.filter((pair) => isFlagged(pair, threshold));
  const across = flagged.filter(({ a, b }) => tools[a]?.server !== tools[b]?.server).length;
  if (flagged.length === 0) return `No pair reaches ${pairScoreText(threshold)}`;
  if (new Set(tools.map(({ server }) => server)).size === 1)
    return flagged.length === 1 ? 'One pair stands out' : `${flagged.length} pairs stand out`;
  if (across === 0) return 'Similar pairs are within servers';
  if (across === flagged.length)
    return across === 1 ? 'The similar pair is on two servers' : 'Similar pairs are across servers';
  return `${across} of ${flagged.length} similar pairs ${across === 1 ? 'is' : 'are'} across servers`;
}
