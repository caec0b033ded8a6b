-- An expected call that several tools satisfy has a row of its own in the confusion matrix. Until
-- now a correct call was counted in the row of the called tool and a wrong one in the row of the
-- first alternative. The n-th unit of a run belongs to the n-th expected call of its frozen case.
UPDATE confusion_units
SET expected = (
  SELECT group_concat(label, ' | ' ORDER BY label)
  FROM (
    SELECT DISTINCT (one.value ->> '$.server') || ':' || (one.value ->> '$.tool') AS label
    FROM test_runs r
    JOIN evaluation_cases c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
    JOIN case_contents k ON k.hash = c.case_hash,
      json_each(k.content, '$.expectedCalls[' || confusion_units.unit || '].anyOf') one
    WHERE r.id = confusion_units.test_run_id
  )
)
WHERE EXISTS (
  SELECT 1
  FROM test_runs r
  JOIN evaluation_cases c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
  JOIN case_contents k ON k.hash = c.case_hash
  WHERE r.id = confusion_units.test_run_id
    AND json_type(k.content, '$.expectedCalls[' || confusion_units.unit || '].anyOf') = 'array'
);
