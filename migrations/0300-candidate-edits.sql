-- A candidate changes any text of a tool, not only its description, and can be named and put away.
ALTER TABLE rewrites ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE rewrites ADD COLUMN edits TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(edits));
-- Never removed: a proof that was spent stays spent.
ALTER TABLE rewrites ADD COLUMN deleted_at TEXT;
UPDATE rewrites SET
  name = 'Candidate ' || (
    SELECT count(*) FROM rewrites earlier
    WHERE earlier.suite = rewrites.suite AND earlier.tool_id = rewrites.tool_id
      AND (earlier.created_at, earlier.id) <= (rewrites.created_at, rewrites.id)
  ),
  edits = json_array(json_object(
    'toolId', tool_id, 'path', '/description', 'oldText', description_before, 'newText', description
  ));
ALTER TABLE rewrites DROP COLUMN description_before;
ALTER TABLE rewrites DROP COLUMN description;
UPDATE rewrites SET search = json_set(search, '$.passedBefore', NULL) WHERE search IS NOT NULL;
UPDATE rewrites SET proof = json_set(proof, '$.passedBefore', NULL) WHERE proof IS NOT NULL;
