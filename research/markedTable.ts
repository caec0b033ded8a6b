import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages of `docs` that have measured tables. */
type Page = 'rules' | 'recovery';

/**
 * Writes a measured table into a page of `docs`, between the marks of its name. Throws if the page
 * has no such marks.
 */
export function writeTable(page: Page, name: string, table: string): void {
  const file = join(import.meta.dirname, `../docs/${page}.md`);
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(`<!-- ${name}`);
  const open = text.indexOf('-->', start) + 3;
  const end = text.indexOf(`<!-- /${name} -->`);
  if (start < 0 || end < open) throw new Error(`${file} has no marks for the table ${name}.`);
  writeFileSync(file, `${text.slice(0, open)}\n\n${table}\n\n${text.slice(end)}`);
}

export const percent = (value: number): string => `${Math.round(value * 100)}%`;
