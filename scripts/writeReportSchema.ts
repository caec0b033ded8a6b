import { writeFileSync } from 'node:fs';
import { reportSchemaTexts } from '../src-main/services/reports/documents/reportSchemas.ts';

// Run after a change of src-main/services/reports/documents; a test fails while a file is stale.
for (const [name, text] of reportSchemaTexts()) {
  const file = new URL(`../datasets/${name}`, import.meta.url);
  writeFileSync(file, text);
  console.log(`Wrote ${file.pathname}`);
}
