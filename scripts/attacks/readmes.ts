import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ optional: z.boolean().default(false) })),
});

const readmeName = /^readme(?:\.md|\.markdown)?$/i;
const [minLength, maxLength] = [30, 3000];

/**
 * Paragraphs of the readme files of the packages that the lock file names: how people who have
 * nothing to do with tools for models write about software, in 20,000 sentences. Packages for some
 * machines only are left out, so that the weights are the same everywhere.
 */
export function readmeParagraphs(): string[] {
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const folders = Object.entries(packages)
    .filter(([folder, { optional }]) => folder !== '' && !optional)
    .map(([folder]) => folder)
    .sort();
  return [...new Set(folders.flatMap((folder) => paragraphsOf(readmeIn(join(root, folder)))))];
}

function readmeIn(folder: string): string {
  const name = readdirSync(folder)
    .sort()
    .find((each) => readmeName.test(each));
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
}

/** Prose alone: without code, badges, tables and addresses of links. */
function paragraphsOf(markdown: string): string[] {
  return markdown
    .replace(/```[\s\S]*?```/g, '\n\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\[!\[.*$/gm, '')
    .replace(/^\|.*$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^ {4,}.*$/gm, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^[#>*\-\s]+/, '').trim())
    .filter(({ length }) => length >= minLength && length <= maxLength);
}
