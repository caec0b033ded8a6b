-- Vectors that were paid for once, by model (with its endpoint) and text. Deleting them costs only asking again.
CREATE TABLE embeddings (
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL CHECK (length(text_hash) = 64),
  -- 32-bit floats, little-endian
  vector BLOB NOT NULL CHECK (length(vector) > 0 AND length(vector) % 4 = 0),
  created_at TEXT NOT NULL,
  PRIMARY KEY (model, text_hash)
) STRICT, WITHOUT ROWID;

-- Other descriptions of a tool that were tried on the cases of an evaluation. Rejected ones are kept: they count among those that were tried.
CREATE TABLE rewrites (
  id TEXT PRIMARY KEY,
  -- no reference: what was found out stays when the evaluation is deleted
  base_evaluation_id TEXT NOT NULL,
  base_number INTEGER NOT NULL,
  model_settings_id TEXT NOT NULL,
  model_name TEXT NOT NULL,
  tool_id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('hand', 'rule', 'model')),
  description_before TEXT NOT NULL,
  description TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'searching', 'searched', 'proving', 'accepted', 'rejected', 'cannot_tell')),
  search_evaluation_id TEXT,
  proof_evaluation_id TEXT,
  search TEXT CHECK (search IS NULL OR json_valid(search)),
  proof TEXT CHECK (proof IS NULL OR json_valid(proof)),
  created_at TEXT NOT NULL,
  decided_at TEXT,
  -- a proof is given once
  CHECK ((state IN ('accepted', 'rejected', 'cannot_tell')) = (proof IS NOT NULL))
) STRICT;

CREATE INDEX rewrites_base ON rewrites (base_evaluation_id, model_settings_id);
