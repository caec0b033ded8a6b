import { readFile, writeFile } from 'node:fs/promises';
import { verdictTable } from '../src-main/testing/importedVerdicts/importedVerdicts.ts';

// Writes the table of docs/verdicts.md: imported tasks, judged here and by the rule of their program.
const page = new URL('../docs/verdicts.md', import.meta.url);
const text = await readFile(page, 'utf8');
const table = await verdictTable();
await writeFile(
  page,
  text.replace(
    /<!-- table -->[^]*<!-- \/table -->/,
    () => `<!-- table -->\n\n${table}\n\n<!-- /table -->`,
  ),
);
console.log(`Wrote ${page.pathname}`);
