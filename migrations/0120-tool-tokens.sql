-- How many tokens (cl100k_base) the text of a tool has; null where it was not counted yet. The text never changes, so neither does this.
ALTER TABLE tool_contents ADD COLUMN token_count INTEGER CHECK (token_count >= 0);
