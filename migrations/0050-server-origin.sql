-- Where an imported server came from: the program, what its file said beyond what is understood here, and the inputs that it asks for.
ALTER TABLE mcp_servers ADD COLUMN origin TEXT CHECK (origin IS NULL OR json_valid(origin));
