import type { AnalysedTool, EmbeddingModel } from '../../../src-shared/domain/similarity.ts';
import { fullText } from '../../analysis/similarity/toolText.ts';
import {
  embedTexts,
  type EmbeddingParts,
  type EmbedTextsOptions,
} from '../embeddings/embedTexts.ts';
import type { EmbeddedVectors } from './similarityEngine.ts';

/**
 * Embeds descriptions, and the full texts where they are asked for; a text without content has a
 * vector of zeros.
 */
export async function embedTools(
  tools: readonly AnalysedTool[],
  model: EmbeddingModel,
  parts: EmbeddingParts,
  { full, ...options }: EmbedTextsOptions & { full: boolean },
): Promise<EmbeddedVectors> {
  const descriptions = tools.map(({ description }) => description.trim());
  const fullTexts = full ? tools.map(fullText) : null;
  const known = await embedTexts([...descriptions, ...(fullTexts ?? [])], model, parts, options);
  const nothing = new Float32Array(known.values().next().value?.length ?? 1);
  const vectorsOf = (texts: readonly string[]): Float32Array[] =>
    texts.map((text) => known.get(text) ?? nothing);
  return {
    descriptions: vectorsOf(descriptions),
    fullTexts: fullTexts ? vectorsOf(fullTexts) : null,
  };
}
