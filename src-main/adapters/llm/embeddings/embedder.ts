import type { EmbeddingModel } from '../../../../src-shared/domain/similarity.ts';

export interface Embedder {
  /** Names the model and where it runs in every message. */
  readonly thing: string;
  /** Tells models apart that have one name, such as two contents of one folder. */
  readonly identity?: string;
  /** The model with references in place of credentials, for what is stored; absent: it has none. */
  readonly kept?: EmbeddingModel;
  /**
   * One vector per text, in order, all of one length. No text may be empty. Throws ServiceError
   * TROUBLE where the model returns none or invalid ones.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
}

interface EmbedOptions {
  signal: AbortSignal;
  /** Called after each batch. */
  onBatch?: (texts: readonly string[], vectors: readonly Float32Array[]) => void;
}
