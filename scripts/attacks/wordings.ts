import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sentencesOfPattern } from './patterns.ts';

/** Each real server belongs to one of these. */
export const knownServerSplits = ['train', 'validation', 'test'] as const;
export const serverSplits = [...knownServerSplits, 'unseen'] as const;
/** `fresh` wordings were unseen once, and are planted into validation servers. */
export const splits = [...serverSplits, 'fresh'] as const;
/** What rules and weights may be fitted to. */
export const knownSplits = [...knownServerSplits, 'fresh'] as const;
export type Split = (typeof splits)[number];

/** One frozen sentence. An honest one talks about the same subjects and asks for nothing wrong. */
export interface Wording {
  kind: 'attack' | 'honest';
  /** The intent, such as `shadowing`, or the subject of an honest sentence (`general` for several). */
  technique: string;
  language: string;
  author: string;
  split: Split;
  text: string;
  /** The pattern that it is a sentence of, or the sentence itself. */
  source: string;
}

const sentences = z.array(z.string().min(1));
/** By group (a, b, c) in the English files, by language in the others. */
const grouped = z.record(z.string(), sentences);
const wordingFile = z.strictObject({
  about: z.string(),
  language: z.string().optional(),
  author: z.string().default('first'),
  split: z.enum(splits).optional(),
  whole_techniques_for_test: z.array(z.string()).default([]),
  attacks: z.record(z.string(), grouped).default({}),
  honest: z
    .union([grouped.transform((general) => ({ general })), z.record(z.string(), grouped)])
    .default({}),
});
type WordingFile = z.infer<typeof wordingFile>;

const isWordingFile = (name: string): boolean => /^wordings.*\.json$/.test(name);

/** Patterns of one language, all of which train. */
const patternFile = z.strictObject({
  about: z.string(),
  language: z.string(),
  author: z.string().default('third'),
  words: z.record(z.string(), z.string()),
  attacks: z.record(z.string(), sentences),
  /** Honest sentences that resemble attacks. */
  honest: sentences,
  /** What most tools say; for languages that few tools of `real_tools_v1.json` are written in. */
  plain: sentences.default([]),
});

const patternFileNames = ['patterns', 'patterns.fifth'].flatMap((name) =>
  ['en', 'de', 'es', 'ru', 'zh', 'ja', 'ar', 'hi'].map((language) => `${name}.${language}.json`),
);
const perPattern = { attack: 10, honest: 10, plain: 40 };

const splitOfGroup: Readonly<Record<string, Split>> = { a: 'train', b: 'validation', c: 'test' };

/** Every wording of every file, each once. */
export function readWordings(): Wording[] {
  const read = readdirSync(import.meta.dirname)
    .filter(isWordingFile)
    .sort()
    .map((name) =>
      wordingFile.parse(JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))),
    );
  // Unseen ones last, so that a sentence that is known from training is dropped there.
  const files = [
    ...read.filter(({ split }) => split !== 'unseen'),
    ...read.filter(({ split }) => split === 'unseen'),
  ];
  const keptWhole = new Set(files.flatMap((file) => file.whole_techniques_for_test));
  return uniqueTexts([
    ...files.flatMap((file) => wordingsOf(file, keptWhole)),
    ...patternFileNames.flatMap(patternWordings),
  ]);
}

function uniqueTexts(wordings: readonly Wording[]): Wording[] {
  const seen = new Set<string>();
  return wordings.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** What the third and the fifth author wrote as patterns: several sentences of each. */
function patternWordings(name: string): Wording[] {
  const { language, author, words, attacks, honest, plain } = patternFile.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );
  const wordingsOfKind = (kind: Wording['kind'], technique: string, patterns: readonly string[]) =>
    patterns
      .flatMap((pattern) =>
        sentencesOfPattern(pattern, words, perPattern[technique === 'plain' ? 'plain' : kind]).map(
          (text) => ({ text, source: pattern }),
        ),
      )
      .map(({ text, source }): Wording => ({
        kind,
        technique,
        language,
        author,
        split: 'train',
        text,
        source,
      }));
  return [
    ...Object.entries(attacks).flatMap(([technique, patterns]) =>
      wordingsOfKind('attack', technique, patterns),
    ),
    ...wordingsOfKind('honest', 'general', honest),
    ...wordingsOfKind('honest', 'plain', plain),
  ];
}

function wordingsOf(file: WordingFile, keptWhole: ReadonlySet<string>): Wording[] {
  const read = (kind: Wording['kind'], technique: string, lists: Record<string, string[]>) =>
    Object.entries(lists).flatMap(([key, texts]) =>
      texts.map((text, index): Wording => {
        const group = file.language === undefined ? ('abc'[index % 3] ?? 'c') : key;
        return {
          kind,
          technique,
          language: file.language ?? key,
          author: file.author,
          split: splitOf(file, group, keptWhole.has(technique)),
          text,
          source: text,
        };
      }),
    );
  const attacks = Object.entries(file.attacks).flatMap(([technique, lists]) =>
    read('attack', technique, lists),
  );
  const honest = Object.entries(file.honest).flatMap(([technique, lists]) =>
    read('honest', technique, lists),
  );
  return [...attacks, ...honest];
}

/** By technique and by author: what two authors wrote for two techniques is in the old test only. */
function splitOf(file: WordingFile, group: string, keptWhole: boolean): Split {
  if (file.split === 'fresh' || file.split === 'unseen') return file.split;
  if (file.author === 'second' || (keptWhole && file.author === 'first')) return 'test';
  const split = file.split ?? splitOfGroup[group];
  if (split === undefined) throw new Error(`Unknown group ${group}`);
  return split;
}
