import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../src-main/runtime/sha256.ts';
import { readCompressed, writeCompressed } from '../compressed.ts';
import { splits } from './splits.ts';

/**
 * All wordings in one file of lines. The first is the table of contents; each further one is the
 * part at the same place in it, in the order in which they are read.
 */
const wordingsFile = join(import.meta.dirname, 'wordings.jsonl.br');

const author = z.int().positive();
const split = z.enum(splits).nullable();
/** By key where it is null. */
const language = z.string().nullable();
const partEntry = z.strictObject({
  name: z.string(),
  author,
  language,
  /** By group and intent where it is null. */
  split,
  attacks: z.int(),
  honest: z.int(),
  /** Of the part's line. */
  sha256: z.string(),
});
export type PartEntry = z.infer<typeof partEntry>;
const contents = z.strictObject({ records: z.array(partEntry) });

const sentences = z.array(z.string().min(1));
/** By group (a, b, c) where the part has a language, else by language. */
const grouped = z.record(z.string(), sentences);
const wordingBody = z.strictObject({
  about: z.string(),
  whole_techniques_for_test: z.array(z.string()).default([]),
  attacks: z.record(z.string(), grouped).default({}),
  honest: z
    .union([grouped.transform((general) => ({ general })), z.record(z.string(), grouped)])
    .default({}),
});
/** Patterns of one language, all of which train. */
const patternBody = z.strictObject({
  about: z.string(),
  words: z.record(z.string(), z.string()),
  attacks: z.record(z.string(), sentences),
  /** Honest sentences that resemble attacks. */
  honest: sentences,
  /** What most tools say; for languages that few real tools are written in. */
  plain: sentences.default([]),
});
type Known = Omit<PartEntry, 'attacks' | 'honest'>;
export type WordingPart = Known & z.infer<typeof wordingBody>;
export type PatternPart = Known & z.infer<typeof patternBody>;

interface Line<Entry = PartEntry> {
  entry: Entry;
  text: string;
}

function readLines(file: string): Line[] {
  const [first = '', ...lines] = readCompressed(file).trimEnd().split('\n');
  const { records } = contents.parse(JSON.parse(first));
  if (records.length !== lines.length)
    throw new Error(`${file} lists ${records.length} parts and has ${lines.length}.`);
  return records.map((entry, index) => {
    const text = lines[index] ?? '';
    if (sha256(text) !== entry.sha256)
      throw new Error(
        `${file}: Part ${entry.name} is not what the contents say. A wording never changes: ` +
          'restore the file, and add a part instead.',
      );
    return { entry, text };
  });
}

function parsePart({ entry, text }: Line<Known>): WordingPart | PatternPart {
  const body: unknown = JSON.parse(text);
  return typeof body === 'object' && body !== null && 'words' in body
    ? { ...entry, ...patternBody.parse(body) }
    : { ...entry, ...wordingBody.parse(body) };
}

/** Every part, in the order of the file. Throws if one was changed. */
export const readParts = (file = wordingsFile): (WordingPart | PatternPart)[] =>
  readLines(file).map(parsePart);

export const isPattern = (part: WordingPart | PatternPart): part is PatternPart => 'words' in part;

export const readContents = (file = wordingsFile): PartEntry[] =>
  readLines(file).map(({ entry }) => entry);

/** The text of one part. Those of the unseen split are measured with and not read. */
export function showPart(name: string, file = wordingsFile): string {
  const line = readLines(file).find(({ entry }) => entry.name === name);
  if (line === undefined) throw new Error(`There is no part ${name}.`);
  if (line.entry.split === 'unseen')
    throw new Error(`Part ${name} is unseen: only numbers of it are read.`);
  return line.text;
}

const newPart = z.looseObject({
  name: z.string(),
  author,
  language: language.default(null),
  split: split.default(null),
});

/** Adds a part at the end; what the file holds stays as it is. */
export function addPart(text: string, file = wordingsFile): PartEntry {
  const { name, author, language, split, ...body } = newPart.parse(JSON.parse(text));
  const lines = readLines(file);
  if (lines.some(({ entry }) => entry.name === name))
    throw new Error(`There is a part ${name} already, and no part changes. Choose another name.`);
  const added = JSON.stringify(body);
  const known = { name, author, language, split, sha256: sha256(added) };
  const entry = { ...known, ...countsOf(parsePart({ entry: known, text: added })) };
  const all = [...lines, { entry, text: added }];
  const first = JSON.stringify({ records: all.map((line) => line.entry) });
  writeCompressed(file, [first, ...all.map((line) => line.text), ''].join('\n'));
  return entry;
}

/** Sentences or patterns of a part. */
export function countsOf(part: WordingPart | PatternPart): { attacks: number; honest: number } {
  const all = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(all) : [value];
  return {
    attacks: all(part.attacks).length,
    honest: all(part.honest).length + (isPattern(part) ? part.plain.length : 0),
  };
}

/** The contents as a Markdown table, which README.md repeats: a changed part shows as a changed row. */
export function contentsTable(entries: readonly PartEntry[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['part', 'author', 'language', 'split', 'attacks', 'honest', 'SHA-256, first 16 digits']),
    '| --- | ---: | --- | --- | ---: | ---: | --- |',
    ...entries.map((entry) =>
      row([
        entry.name,
        entry.author,
        entry.language ?? 'several',
        entry.split ?? 'by group',
        entry.attacks,
        entry.honest,
        entry.sha256.slice(0, 16),
      ]),
    ),
  ].join('\n');
}
