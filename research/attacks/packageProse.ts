import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A piece of honest prose, and where it stands. */
export interface Prose {
  /** Messages in languages that few attacks are written in are a source of their own. */
  source: 'readme' | 'comment' | 'message' | 'otherMessage';
  text: string;
}

const root = join(import.meta.dirname, '../..');
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ optional: z.boolean().default(false) })),
});
const messages = z.record(z.string(), z.string());

const messageLanguages = {
  message: '{zh-cn,zh-tw,ja,ru,de,es}',
  otherMessage: '{fr,it,pt-br,ko,pl,tr,cs}',
} as const;

const longest = 3000;
const shortest: Readonly<Record<Prose['source'], number>> = {
  readme: 30,
  comment: 30,
  message: 6,
  otherMessage: 6,
};

/**
 * How people who have nothing to do with tools for models write about software: the readme files and
 * doc comments of the packages that the lock file names, and the messages of TypeScript in 13
 * languages. Packages for some machines only are left out, so that the weights are the same
 * everywhere.
 */
export function packageProse(): Prose[] {
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const folders = Object.entries(packages)
    .filter(([folder, { optional }]) => folder !== '' && !optional)
    .map(([folder]) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .sort();
  const prose = new Map<string, Prose['source']>();
  const add = (source: Prose['source'], texts: readonly string[]): void => {
    for (const text of texts)
      if (text.length >= shortest[source] && text.length <= longest && !prose.has(text))
        prose.set(text, source);
  };
  for (const folder of folders)
    add('readme', filesOf(folder, '{readme,README,Readme}{,.md,.markdown}').flatMap(paragraphsOf));
  for (const folder of folders)
    add('comment', filesOf(folder, '**/*.d.{ts,mts,cts}').flatMap(commentsOf));
  const typescript = join(root, 'node_modules/typescript/lib');
  for (const source of ['message', 'otherMessage'] as const)
    for (const file of filesOf(
      typescript,
      `${messageLanguages[source]}/diagnosticMessages.generated.json`,
    ))
      add(source, Object.values(messages.parse(JSON.parse(file))));
  return [...prose].map(([text, source]) => ({ source, text }));
}

/** The texts of the files of one package, without those of the packages inside of it. */
const filesOf = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: folder, exclude: (path) => /(?:^|\/)node_modules$/.test(path) })
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));

/** A block of code, also one that nothing ends. */
const fenced = /`{3,}[\s\S]*?(?:`{3,}|$)/g;

/** Prose alone: without code, badges, tables and addresses of links. */
const paragraphsOf = (markdown: string): string[] =>
  withoutAddresses(
    markdown
      .replace(fenced, '\n\n')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\[!\[.*$/gm, '')
      .replace(/^\|.*$/gm, ''),
  )
    .replace(/^ {4,}.*$/gm, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^[#>*\-\s]+/, '').trim());

/** What doc comments say, without their examples, tags, types and images. */
const commentsOf = (declarations: string): string[] =>
  (declarations.match(/\/\*\*[\s\S]*?\*\//g) ?? []).map((comment) =>
    withoutAddresses(
      comment
        .slice('/**'.length, -'*/'.length)
        .replace(/^\s*\* ?/gm, '')
        .replace(fenced, '\n')
        .replace(/!\[[^\]]*\]\([^)]*\)/g, ''),
    )
      .replace(/@\w+/g, ' ')
      .replace(/\{@?[^}]*\}/g, ' ')
      .trim(),
  );

const withoutAddresses = (markdown: string): string => markdown.replace(/\]\([^)]*\)/g, ']');
