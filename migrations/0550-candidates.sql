-- Edits that are tried are candidates in every place: the table had their earlier name.
ALTER TABLE rewrites RENAME TO candidates;
DROP INDEX rewrites_base;
DROP INDEX rewrites_suite;
CREATE INDEX candidates_base ON candidates (base_evaluation_id, model_settings_id);
CREATE INDEX candidates_suite ON candidates (suite, proof_rank);
