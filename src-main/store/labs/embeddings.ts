import type { StoreContext } from '../storeContext.ts';

/**
 * Vectors of an embedding model by the hash of their text, so that each text is embedded only once.
 */
export function openEmbeddings({ db, clock, transaction }: StoreContext) {
  const one = db.prepare<[string, string], { vector: Buffer }>(
    'SELECT vector FROM embeddings WHERE model = ? AND text_hash = ?',
  );
  const insert = db.prepare<[string, string, Buffer, string]>(
    'INSERT INTO embeddings (model, text_hash, vector, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    get(model: string, textHash: string): Float32Array | null {
      const row = one.get(model, textHash);
      // Copied, because a buffer of the driver need not start at an address where floats may.
      return row ? new Float32Array(Uint8Array.from(row.vector).buffer) : null;
    },
    /** Existing entries stay as they are. */
    put: (model: string, entries: readonly { textHash: string; vector: Float32Array }[]): void =>
      transaction(() => {
        const at = clock.now();
        for (const { textHash, vector } of entries)
          insert.run(
            model,
            textHash,
            Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
            at,
          );
      }),
  };
}
