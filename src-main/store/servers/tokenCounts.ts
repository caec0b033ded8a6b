import type { EncodingName, TokenParts } from '../../../src-shared/domain/tokens.ts';
import type { StoreContext } from '../storeContext.ts';

export interface StoredTokens {
  tokenCount: number;
  parts: TokenParts;
  /** Only for a skill. */
  bodyTokens?: number;
}

interface Row {
  token_count: number;
  name_tokens: number;
  description_tokens: number;
  input_schema_tokens: number;
  output_schema_tokens: number;
  structure_tokens: number;
  body_tokens: number | null;
}

export function openTokenCounts({ db, transaction }: StoreContext) {
  const select = db.prepare<[string, string], Row>(
    `SELECT token_count, name_tokens, description_tokens, input_schema_tokens, output_schema_tokens, structure_tokens, body_tokens
    FROM token_counts WHERE tool_hash = ? AND encoding = ?`,
  );
  const insert = db.prepare(`INSERT INTO token_counts
    (tool_hash, encoding, token_count, name_tokens, description_tokens, input_schema_tokens, output_schema_tokens, structure_tokens, body_tokens)
    VALUES (:hash, :encoding, :tokenCount, :name, :description, :inputSchema, :outputSchema, :structure, :body) ON CONFLICT DO NOTHING`);
  const measured = db.prepare<
    [string],
    { provider: string; model: string; tokens: number; requests: number }
  >(
    `SELECT m.provider, m.model, avg(r.input_tokens) AS tokens, count(*) AS requests FROM evaluations e
    JOIN runs r ON r.evaluation_id = e.id JOIN model_settings m ON m.id = r.model_settings_id
    WHERE e.snapshot_id = ? AND e.settings ->> '$.topK' IS NULL AND r.observation ->> '$.usage.source' = 'measured' GROUP BY m.provider, m.model ORDER BY m.provider, m.model`,
  );
  return {
    /**
     * Mean input tokens of the requests that showed this snapshot, by provider and model, where the
     * provider reported them.
     */
    measured: (snapshotId: string) => measured.all(snapshotId),
    get(hash: string, encoding: EncodingName): StoredTokens | null {
      const row = select.get(hash, encoding);
      if (!row) return null;
      return {
        tokenCount: row.token_count,
        ...(row.body_tokens === null ? {} : { bodyTokens: row.body_tokens }),
        parts: {
          name: row.name_tokens,
          description: row.description_tokens,
          inputSchema: row.input_schema_tokens,
          outputSchema: row.output_schema_tokens,
          structure: row.structure_tokens,
        },
      };
    },
    /** Content that was counted before keeps its count. */
    put: (
      hash: string,
      encoding: EncodingName,
      { tokenCount, parts, bodyTokens }: StoredTokens,
    ): void =>
      transaction(
        () => void insert.run({ hash, encoding, tokenCount, body: bodyTokens ?? null, ...parts }),
      ),
  };
}
