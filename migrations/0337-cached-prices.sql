-- Own prices of input that comes from, or is written to, the prompt cache of a provider.
ALTER TABLE model_prices ADD COLUMN cache_read_usd REAL CHECK (cache_read_usd >= 0);
ALTER TABLE model_prices ADD COLUMN cache_write_usd REAL CHECK (cache_write_usd >= 0);
