-- A folder of skills is one more kind of server. The transport is that of the configuration, so it
-- is no longer written apart from it.
ALTER TABLE mcp_servers DROP COLUMN transport;
ALTER TABLE mcp_servers ADD COLUMN transport TEXT GENERATED ALWAYS AS (config ->> '$.transport') VIRTUAL;

-- What a skill has besides its name and description: body, other fields, files.
ALTER TABLE tool_contents ADD COLUMN skill TEXT CHECK (skill IS NULL OR json_valid(skill));

-- What a skill costs when a model uses it; null for tools.
ALTER TABLE token_counts ADD COLUMN body_tokens INTEGER CHECK (body_tokens >= 0);
