import { z } from 'zod';
import { suiteFile } from '../../../src-shared/domain/suiteFile.ts';

/**
 * The JSON Schema (2020-12) of a suite file, for editors and other programs.
 * `scripts/writeSuiteSchema.ts` writes it to datasets/suite.schema.json.
 */
export function suiteSchemaText(): string {
  const schema = z.toJSONSchema(suiteFile, {
    target: 'draft-2020-12',
    io: 'input',
    // An empty schema stands for any JSON value.
    unrepresentable: 'any',
  });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
