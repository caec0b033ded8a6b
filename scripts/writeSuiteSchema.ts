import { writeFileSync } from 'node:fs';
import { suiteSchemaText } from '../src-main/services/suites/suiteSchema.ts';

// Run after a change of src-shared/domain/suiteFile.ts; a test fails while the file is stale.
const file = new URL('../datasets/suite.schema.json', import.meta.url);
writeFileSync(file, suiteSchemaText());
console.log(`Wrote ${file.pathname}`);
