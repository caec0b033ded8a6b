import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTexts, type VisibleText } from './readTexts.ts';
import { screenOf, screenOrder } from './screens.ts';

const root = join(import.meta.dirname, '..', '..');

/** The texts of one file. */
export interface FileCopy {
  screen: string;
  path: string;
  texts: VisibleText[];
}

const pages = 'Documentation';

/** Every text that a person can see: in the sources, and line by line in the documentation. */
export function collectCopy(): FileCopy[] {
  const list = (...patterns: string[]): string[] =>
    execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((path) => path !== '');
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const sources = list('src-*/**/*.ts', 'src-*/**/*.tsx').flatMap((path) => {
    const screen = screenOf(path);
    return screen === null ? [] : [{ screen, path, texts: readTexts(path, read(path)) }];
  });
  const documents = list('*.md', 'docs/*.md', 'docs/**/*.md')
    .filter((path) => !path.includes('/golden/') && path !== 'CHANGELOG.md')
    .map((path) => ({ screen: pages, path, texts: readPage(read(path)) }));
  return [...sources, ...documents].filter(({ texts }) => texts.length > 0);
}

/** The lines of a page, without its code blocks. */
export function readPage(text: string): VisibleText[] {
  let inCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    return inCode || !/\p{L}/u.test(line) ? [] : [{ line: index + 1, text: line.trim() }];
  });
}

export function printCopy(files: readonly FileCopy[]): string {
  return [...screenOrder, pages]
    .map((screen) => {
      const own = files.filter((file) => file.screen === screen);
      if (own.length === 0) return '';
      const parts = own.map(
        ({ path, texts }) =>
          `### ${path}\n${texts.map(({ line, text }) => `${String(line).padStart(4)}  ${text}\n`).join('')}`,
      );
      return `## ${screen}\n\n${parts.join('\n')}\n`;
    })
    .join('');
}
