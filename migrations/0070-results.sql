-- The id that the suite file gives a case, as it was: null in evaluations from before.
ALTER TABLE evaluation_cases ADD COLUMN case_key TEXT;

-- What a replaced score was made with, where that changed: the expectation, and from where a confidence counted as high.
ALTER TABLE evaluation_result_history ADD COLUMN case_hash TEXT REFERENCES case_contents(hash);
ALTER TABLE evaluation_result_history ADD COLUMN high_confidence REAL;

CREATE INDEX evaluation_result_history_case ON evaluation_result_history (case_hash);

-- Summaries, comparisons and tallies of scored runs read these and not the runs, which are wide.
CREATE INDEX test_runs_scored ON test_runs (evaluation_id, position, model_settings_id, repetition, classification,
  execution_time_ms, input_tokens, output_tokens, confidence_score, confidence_method, test_case_id, id) WHERE is_current = 1 AND status = 'completed';
CREATE INDEX evaluation_results_numbers ON evaluation_results (test_run_id, matched_parameters, expected_parameters, passed, confidence_category);
