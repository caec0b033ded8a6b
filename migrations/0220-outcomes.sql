-- What became of a scored run, and what it got wrong first, so that failures can be counted, grouped
-- and filtered. The rules are those of src-shared/metrics/outcomes.ts.
ALTER TABLE test_runs ADD COLUMN outcome TEXT;
ALTER TABLE test_runs ADD COLUMN cause_expected TEXT;
ALTER TABLE test_runs ADD COLUMN cause_called TEXT;

UPDATE test_runs SET outcome = CASE x.passed WHEN 1 THEN 'passed' WHEN 0 THEN NULL ELSE 'not_scored' END
FROM evaluation_results x
WHERE x.test_run_id = test_runs.id;

-- The first wrong unit; the first unit where all are right, because then the arguments are wrong.
UPDATE test_runs SET (cause_expected, cause_called) = (
  SELECT u.expected, u.selected
  FROM confusion_units u
  WHERE u.test_run_id = test_runs.id
  ORDER BY
    u.expected = u.selected OR instr(' | ' || u.expected || ' | ', ' | ' || u.selected || ' | ') > 0,
    u.unit
  LIMIT 1
)
WHERE classification IS NOT NULL AND outcome IS NULL;

UPDATE test_runs SET outcome = CASE
  WHEN cause_called = '(phantom)' THEN 'made_up_tool'
  WHEN cause_expected = cause_called
    OR instr(' | ' || cause_expected || ' | ', ' | ' || cause_called || ' | ') > 0
    THEN 'wrong_arguments'
  WHEN cause_expected = '(no tool)' THEN 'unneeded_call'
  WHEN cause_called <> '(no tool)' THEN 'wrong_tool'
  WHEN EXISTS (
    SELECT 1 FROM confusion_units u WHERE u.test_run_id = test_runs.id AND u.selected <> '(no tool)'
  ) THEN 'missing_call'
  ELSE 'no_tool_called'
END
WHERE cause_expected IS NOT NULL;

DROP INDEX test_runs_counts;
CREATE INDEX test_runs_counts ON test_runs (
  evaluation_id, model_settings_id, status, classification, outcome, failure
) WHERE is_current = 1;
CREATE INDEX test_runs_causes ON test_runs (
  evaluation_id, outcome, cause_expected, cause_called, model_settings_id
) WHERE is_current = 1 AND cause_expected IS NOT NULL;
