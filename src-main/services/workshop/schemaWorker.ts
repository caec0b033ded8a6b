import { serveItems } from '../../adapters/process/itemLoop.ts';
import { checkSchema, checkValue, type SchemaProblem } from '../../scoring/schemaCheck.ts';
import type { SchemaItem } from './schemaItem.ts';

// Warms up the validator before the time limit of the first item starts.
checkValue(
  { type: 'object', properties: { a: { type: 'string', format: 'date' } } },
  { a: 1 },
  'The value',
);
checkSchema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });

serveItems((item): SchemaProblem[] => {
  const asked = item as SchemaItem;
  return asked.kind === 'schema'
    ? checkSchema(asked.schema)
    : checkValue(asked.schema, asked.value, asked.what);
});
