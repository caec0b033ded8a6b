import { createHash } from 'node:crypto';
import type { AnalysedTool, EmbeddingModel } from '../../../src-shared/domain/similarity.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import { fullText } from '../../analysis/similarity/toolText.ts';
import type { EmbeddedVectors } from './similarityEngine.ts';

/** Vectors that were paid for once, by the hash of their text and the name of their model. */
export interface EmbeddingCache {
  get(model: string, textHash: string): Float32Array | null;
  put(model: string, entries: readonly { textHash: string; vector: Float32Array }[]): void;
}

export interface EmbedToolsOptions {
  full: boolean;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a cached vector belongs to: one name may mean two models on two hosts. */
export const cacheKey = ({ provider, model, baseUrl }: EmbeddingModel): string => [provider, baseUrl ?? '', model].join(' ');

/** Embeds descriptions, and the full texts where they are asked for: each distinct text once, none that is empty, none that the cache holds. */
export async function embedTools(tools: readonly AnalysedTool[], model: EmbeddingModel, parts: { open: OpenEmbedder; cache: EmbeddingCache | null }, { full, signal, onProgress }: EmbedToolsOptions): Promise<EmbeddedVectors> {
  const { cache } = parts;
  const embedder = await parts.open(model);
  const key = cacheKey(model);
  const descriptions = tools.map(({ description }) => description.trim());
  const fullTexts = full ? tools.map(fullText) : null;
  const known = new Map<string, Float32Array>();
  const missing: string[] = [];
  for (const text of new Set([...descriptions, ...(fullTexts ?? [])])) {
    if (text === '') continue;
    const found = cache?.get(key, hashOf(text)) ?? null;
    if (found) known.set(text, found);
    else missing.push(text);
  }
  const total = known.size + missing.length;
  onProgress?.(known.size, total);
  await embedder.embed(missing, {
    signal,
    onBatch(texts, vectors) {
      const entries = texts.flatMap((text, at) => {
        const vector = vectors[at];
        return vector ? [{ text, textHash: hashOf(text), vector }] : [];
      });
      for (const { text, vector } of entries) known.set(text, vector);
      cache?.put(key, entries);
      onProgress?.(known.size, total);
    },
  });
  const dimensions = known.values().next().value?.length ?? 1;
  const nothing = new Float32Array(dimensions);
  const vectorsOf = (texts: readonly string[]): Float32Array[] => texts.map((text) => known.get(text) ?? nothing);
  return { descriptions: vectorsOf(descriptions), fullTexts: fullTexts ? vectorsOf(fullTexts) : null };
}
