-- Which tools a case showed where something outside the program ranked them: it may rank otherwise when it is asked again. Best first, as many as were shown.
CREATE TABLE case_rankings (
  evaluation_id TEXT NOT NULL REFERENCES evaluations(id) ON DELETE CASCADE,
  servers TEXT NOT NULL CHECK (json_valid(servers)),
  query TEXT NOT NULL,
  tool_ids TEXT NOT NULL CHECK (json_valid(tool_ids)),
  PRIMARY KEY (evaluation_id, servers, query)
) STRICT, WITHOUT ROWID;
