-- Evaluations of cases and of tasks have one sequence of numbers. Those of cases keep theirs; those
-- of tasks follow in the order in which they were made, after every number that was ever given, so
-- that an old number, by which texts still name them, is never the new number of another one.
ALTER TABLE evaluations ADD COLUMN old_number INTEGER;
UPDATE evaluations SET old_number = number WHERE unit = 'task';
-- A new number may be the old one of a row that has yet to move.
UPDATE evaluations SET number = -number WHERE unit = 'task';
UPDATE evaluations SET number = renumbered.number
FROM (
  SELECT id, (SELECT coalesce(max(abs(number)), 0) FROM evaluations)
    + row_number() OVER (ORDER BY old_number) AS number
  FROM evaluations WHERE unit = 'task'
) AS renumbered
WHERE renumbered.id = evaluations.id;
CREATE UNIQUE INDEX evaluations_number ON evaluations (number);

-- Candidates and searches name the evaluation that they started from.
UPDATE candidates SET base_number = e.number
FROM evaluations AS e WHERE e.id = candidates.base_evaluation_id AND e.unit = 'task';
UPDATE optimizations SET base_number = e.number
FROM evaluations AS e WHERE e.id = optimizations.base_evaluation_id AND e.unit = 'task';
