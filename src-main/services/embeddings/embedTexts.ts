import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { sha256 } from '../../runtime/sha256.ts';
import type { EmbeddingModel } from '../../../src-shared/domain/similarity.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';

/** Stored vectors, by model and hash of the text, so that no text is paid for twice. */
interface EmbeddingCache {
  get(model: string, textHash: string): Float32Array | null;
  put(model: string, entries: readonly { textHash: string; vector: Float32Array }[]): void;
}

export interface EmbeddingParts {
  open: OpenEmbedder;
  /** Null for commands that open no workspace: every text is requested again. */
  cache: EmbeddingCache | null;
}

export interface EmbedTextsOptions {
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** The identity of an embedding model: the same name may be another model on another host. */
const cacheKey = ({ provider, model, baseUrl, headers, query, body }: EmbeddingModel): string => {
  const added = Object.entries({ headers, query, body }).filter(([, each]) => each !== undefined);
  return [
    ...[provider, baseUrl ?? '', model],
    ...(added.length === 0 ? [] : [canonicalJson(Object.fromEntries(added) as JsonObject)]),
  ].join(' ');
};

/**
 * Returns a vector for each distinct text that is not empty; texts in the cache are not requested.
 * Throws ServiceError: INVALID when the endpoint can't be used, TROUBLE when it returns no vectors
 * or wrong ones.
 */
export async function embedTexts(
  texts: readonly string[],
  model: EmbeddingModel,
  { open, cache }: EmbeddingParts,
  { signal, onProgress }: EmbedTextsOptions,
): Promise<Map<string, Float32Array>> {
  const embedder = await open(model);
  const key = [cacheKey(embedder.kept ?? model), embedder.identity].filter(Boolean).join(' ');
  const known = new Map<string, Float32Array>();
  const missing: string[] = [];
  for (const text of new Set(texts)) {
    if (text === '') continue;
    const found = cache?.get(key, sha256(text)) ?? null;
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
        return vector ? [{ text, textHash: sha256(text), vector }] : [];
      });
      for (const { text, vector } of entries) known.set(text, vector);
      cache?.put(key, entries);
      onProgress?.(known.size, total);
    },
  });
  return known;
}
