import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../../src-shared/domain/similarity.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';

/** Vectors that were paid for once, by the hash of their text and the name of their model. */
export interface EmbeddingCache {
  get(model: string, textHash: string): Float32Array | null;
  put(model: string, entries: readonly { textHash: string; vector: Float32Array }[]): void;
}

/** How vectors are come by, wherever they are needed. */
export interface EmbeddingParts {
  open: OpenEmbedder;
  /** Null: each text is asked for each time, by a command that opens no workspace. */
  cache: EmbeddingCache | null;
}

export interface EmbedTextsOptions {
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a cached vector belongs to: one name may mean two models on two hosts. */
export const cacheKey = ({ provider, model, baseUrl }: EmbeddingModel): string =>
  [provider, baseUrl ?? '', model].join(' ');

/**
 * A vector for each distinct text, by its text: none is asked for twice, none that is empty, none
 * that the cache holds. Throws ServiceError INVALID where the endpoint can't be asked, TROUBLE
 * where it gives no vectors or wrong ones.
 */
export async function embedTexts(
  texts: readonly string[],
  model: EmbeddingModel,
  { open, cache }: EmbeddingParts,
  { signal, onProgress }: EmbedTextsOptions,
): Promise<Map<string, Float32Array>> {
  const embedder = await open(model);
  const key = cacheKey(model);
  const known = new Map<string, Float32Array>();
  const missing: string[] = [];
  for (const text of new Set(texts)) {
    if (text === '') continue;
    const found = cache?.get(key, hashOf(text)) ?? null;
    if (found) known.set(text, found);
    else missing.push(text);
  }
  const total = known.size + missing.length;
  onProgress?.(known.size, total);
  await embedder.embed(missing, {
    signal,
    onBatch(batch, vectors) {
      const entries = batch.flatMap((text, at) => {
        const vector = vectors[at];
        return vector ? [{ text, textHash: hashOf(text), vector }] : [];
      });
      for (const { text, vector } of entries) known.set(text, vector);
      cache?.put(key, entries);
      onProgress?.(known.size, total);
    },
  });
  return known;
}
