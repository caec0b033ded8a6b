-- What a simulated user said in a run, with the requests to the model that played it.
ALTER TABLE task_runs ADD COLUMN said TEXT CHECK (said IS NULL OR json_valid(said));
