import { writeFileSync } from 'node:fs';
import { projectSchemaText } from '../src-main/services/checks/projectText.ts';

// Run after a change of src-shared/domain/projectFile.ts; a test fails while the file is stale.
const file = new URL('../datasets/touchstone.schema.json', import.meta.url);
writeFileSync(file, projectSchemaText());
console.log(`Wrote ${file.pathname}`);
