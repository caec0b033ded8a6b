-- Whether a call may have arguments that its case doesn't name. Null: what is around decides, for a
-- case its suite, for a suite the evaluation. Of a replaced score: the mode of its evaluation, where
-- the new one has another.
ALTER TABLE suites ADD COLUMN arguments_mode TEXT CHECK (arguments_mode IN ('at-least', 'exact'));
ALTER TABLE test_cases ADD COLUMN arguments_mode TEXT CHECK (arguments_mode IN ('at-least', 'exact'));
ALTER TABLE evaluation_result_history ADD COLUMN arguments_mode TEXT CHECK (arguments_mode IN ('at-least', 'exact'));
