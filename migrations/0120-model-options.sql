-- Settings of a model beside those that have a column, as JSON with its keys in order.
ALTER TABLE model_settings ADD COLUMN options TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(options));

-- The price that an evaluation reckons with, as it was when it started; null = unpriced.
ALTER TABLE evaluation_models ADD COLUMN price TEXT CHECK (price IS NULL OR json_valid(price));

-- Prices that the user gave: they go before those of the program.
CREATE TABLE model_prices (
  provider TEXT NOT NULL,
  model TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 100),
  input_usd REAL NOT NULL CHECK (input_usd >= 0),
  output_usd REAL NOT NULL CHECK (output_usd >= 0),
  created_at TEXT NOT NULL,
  PRIMARY KEY (provider, model)
) STRICT, WITHOUT ROWID;
