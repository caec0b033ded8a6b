import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusEntry, type CorpusEntry } from '../../src-shared/domain/security.ts';
import { toolDefinitions } from '../../src-main/servers/todo/toolSchemas.ts';
import { readSentences } from '../../src-main/analysis/detectors/learned/features.ts';
import { kindOfPlace } from '../../src-main/analysis/detectors/learned/places.ts';
import { prepare } from '../../src-main/analysis/detectors/prepared.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { entrySubject } from '../../src-main/services/security/entrySubject.ts';
import { halfOf, readCorpus } from '../../src-main/services/security/readCorpus.ts';
import type { Bag, Sentence } from './fit.ts';
import { foldOf } from './folds.ts';
import { generate, type Made } from './generate.ts';

/** What a group of entries that is left out of the training has in common. */
export interface LeftOut {
  /** A quarter of the servers, of the patterns and of the single wordings. */
  fold?: number;
  author?: string;
  /** An intent of attacks or a subject of honest sentences. */
  technique?: string;
}

const copies = 4;
/** Few sentences of many kinds count more than many sentences of a pattern. */
const frozenWeight = 2;
const developmentWeight = 12;
/**
 * Honest sentences are what most texts consist of. Hard negatives resemble attacks on purpose, and
 * few real tools are written in other languages than English.
 */
const honestWeight = 3;
const hardWeight = 16;

function sentencesOf(entry: CorpusEntry): Sentence[] {
  const prepared = prepare(entrySubject(entry));
  const found: Sentence[] = [];
  for (const { passage, readable } of prepared.readings) {
    if (passage.kind !== 'text') continue;
    const kind = kindOfPlace(passage.place);
    readSentences(readable.text, kind, prepared.names, (start, end, features, count) =>
      found.push({
        text: `${kind} ${readable.text.slice(start, end)}`,
        features: features.slice(0, count),
      }),
    );
  }
  return found;
}

/**
 * The tools of the sample, of Todo and of the made-up corpus as honest entries; without the one
 * whose description gives orders on purpose.
 */
function bundledTools(): CorpusEntry[] {
  const read = (name: string): { tools: Record<string, unknown>[] } =>
    JSON.parse(readFileSync(join(programFiles.datasets, name), 'utf8')) as {
      tools: Record<string, unknown>[];
    };
  const sample = ['calendar', 'mail', 'files'].flatMap((server) =>
    read(`sample/${server}.tools.json`)
      .tools.filter(({ name }) => name !== 'write_file')
      .map((tool) => ({ server, ...tool })),
  );
  const made = read('corpus_v1.json').tools.map(({ tool, schema, ...rest }) => ({
    ...rest,
    name: tool,
    inputSchema: schema,
  }));
  const todo = toolDefinitions.map((tool) => ({ server: 'todo', ...tool }));
  return [...sample, ...made, ...todo].map((tool, at) =>
    corpusEntry.parse({
      id: `bundled-${at}`,
      description: 'description' in tool ? tool.description : '',
      label: 'benign',
      category: 'benign',
      provenance: { source: 'own', license: 'MIT' },
      server: 'server' in tool ? tool.server : '',
      tool,
    }),
  );
}

/** Honest tools are left out by their server, wordings by the pattern that they came from. */
export const isLeftOut = (made: Made, leftOut: LeftOut): boolean => {
  const { kind, author, technique, source, entry } = made;
  const group = kind === 'honest' ? entry.server : source;
  if (leftOut.fold !== undefined) return foldOf(group ?? '') === leftOut.fold;
  return kind !== 'honest' && (author === leftOut.author || technique === leftOut.technique);
};

/** Every planted text and every honest tool that weights may be fitted to. */
export const trainingEntries = (): Made[] =>
  (['train', 'validation'] as const).flatMap((split) =>
    generate(split, copies).filter(
      ({ disguise, technique }) =>
        (disguise === 'none' || disguise === 'html_comment') && !technique.endsWith('_collision'),
    ),
  );

export interface TrainingData {
  honest: Bag[];
  attacks: Bag[];
}

export function trainingData(entries: readonly Made[], leftOut: LeftOut = {}): TrainingData {
  const made = entries.filter((each) => !isLeftOut(each, leftOut));
  const development = readCorpus(
    readFileSync(join(programFiles.datasets, 'security_corpus_v1.json'), 'utf8'),
    'own',
  ).entries.filter(
    ({ id, technique }) => halfOf(id) === 'development' && technique !== 'obfuscated',
  );

  const honest = new Map<string, Bag>();
  const addHonest = (entry: CorpusEntry, weight: number) => {
    for (const sentence of sentencesOf(entry))
      if (!honest.has(sentence.text)) honest.set(sentence.text, { weight, sentences: [sentence] });
  };
  for (const { entry, kind } of made) if (kind === 'honest') addHonest(entry, honestWeight);
  for (const { entry, kind } of made) if (kind === 'hard_negative') addHonest(entry, hardWeight);
  for (const entry of development) if (entry.label === 'benign') addHonest(entry, hardWeight);
  // The tools that come with the program: nobody may see their own sample accused.
  for (const tool of bundledTools()) addHonest(tool, hardWeight);

  /** An attack is at least one of the sentences that no honest tool has. */
  const attacks = [
    ...made
      .filter(({ kind }) => kind === 'attack')
      .map(({ entry, author }) => ({
        entry,
        weight: author === 'third' || author === 'fifth' ? 1 : frozenWeight,
      })),
    ...development
      .filter(({ label }) => label === 'malicious')
      .map((entry) => ({ entry, weight: developmentWeight })),
  ]
    .map(({ entry, weight }) => ({
      weight,
      sentences: sentencesOf(entry).filter(({ text }) => !honest.has(text)),
    }))
    .filter(({ sentences }) => sentences.length > 0);
  return { honest: [...honest.values()], attacks };
}
