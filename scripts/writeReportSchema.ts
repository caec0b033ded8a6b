import { writeFileSync } from 'node:fs';
import { reportSchemaText } from '../src-main/services/reports/reportDocument.ts';

// Run after a change of src-main/services/reports/reportDocument.ts; a test fails while the file is stale.
const file = new URL('../datasets/evaluation_report.schema.json', import.meta.url);
writeFileSync(file, reportSchemaText());
console.log(`Wrote ${file.pathname}`);
