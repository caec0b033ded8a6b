-- Settings that the endpoint of a model refused in an evaluation, so that requests went without them:
-- a list of { setting, instead, said }. Null: none.
ALTER TABLE evaluation_models ADD COLUMN refused TEXT CHECK (refused IS NULL OR json_valid(refused));
ALTER TABLE task_evaluation_models ADD COLUMN refused TEXT CHECK (refused IS NULL OR json_valid(refused));
