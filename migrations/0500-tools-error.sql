-- Why the tools of a server could not be listed last, whoever asked for them; null if they were, or
-- nobody asked. The status of a server says only whether it could be reached by its last check.
ALTER TABLE mcp_servers ADD COLUMN tools_error TEXT;
