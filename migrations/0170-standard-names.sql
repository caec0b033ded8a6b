-- Stored settings take the names that the code uses. Values stay as they are.
UPDATE evaluations
SET settings = json_remove(
  json_set(settings, '$.externalRetriever', settings -> '$.farRetriever'),
  '$.farRetriever'
)
WHERE json_type(settings, '$.farRetriever') IS NOT NULL;

UPDATE evaluations
SET settings = json_remove(
  json_set(settings, '$.passedWhen', settings -> '$.rightWhen'),
  '$.rightWhen'
)
WHERE json_type(settings, '$.rightWhen') IS NOT NULL;

UPDATE OR REPLACE settings SET key = 'externalRetrievers' WHERE key = 'farRetrievers';
