import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Corpus } from '../../../src-shared/domain/retrieval.ts';
import type { EmbeddingModel } from '../../../src-shared/domain/similarity.ts';
import { orderByScore } from '../../analysis/order.ts';
import { orderByToolId } from '../../analysis/rankers/ranker.ts';
import { embedTexts, type EmbeddingParts } from '../embeddings/embedTexts.ts';
import type { OpenRetriever } from './retrievers.ts';
import { rankableTools } from './scoreRetrieval.ts';

/**
 * Ranks tools by the cosine between the query and the tool's name and description. Equal and
 * unrelated tools are ordered by id.
 */
export async function openEmbeddingRetriever(
  model: EmbeddingModel,
  corpus: Corpus,
  embeddings: EmbeddingParts,
  signal: AbortSignal,
): Promise<OpenRetriever> {
  const tools = rankableTools(corpus);
  const texts = tools.map(({ name, description }) => `${name}: ${description}`);
  const toolVectors = await embedTexts(texts, model, embeddings, { signal });
  const vectors = texts.map((text) => normalize(toolVectors.get(text)));
  const byToolId = orderByToolId(tools);
  const ids = corpus.tools.map((tool) => tool.tool_id);
  const queryVectors = new Map<string, Float32Array>();
  const embedQueries = async (queries: readonly string[], querySignal: AbortSignal) => {
    for (const [query, vector] of await embedTexts(
      queries.filter((query) => !queryVectors.has(query)),
      model,
      embeddings,
      { signal: querySignal },
    ))
      queryVectors.set(query, normalize(vector));
  };
  return {
    id: 'embedding',
    prepare: embedQueries,
    async rank(query, querySignal) {
      if (!queryVectors.has(query)) await embedQueries([query], querySignal);
      const vector = queryVectors.get(query) ?? new Float32Array(vectors[0]?.length ?? 0);
      if (vector.length !== (vectors[0]?.length ?? 0)) {
        throw new ServiceError('TROUBLE', {
          thing: `Embedding model ${model.model}`,
          cause: 'The vector of the query and those of the tools differ in length.',
          nextStep: 'Check that the endpoint serves one model under this name.',
        });
      }
      // The order expects scores ≥ 0; a negative cosine means unrelated, as 0 does.
      const scores = Float64Array.from(vectors, (tool) =>
        Math.max(
          0,
          tool.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
        ),
      );
      return Array.from(orderByScore(scores, byToolId), (position) => ids[position] ?? '');
    },
    close: async () => undefined,
  };
}

function normalize(vector: Float32Array = new Float32Array(0)): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
