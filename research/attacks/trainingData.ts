import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { corpusEntry, type CorpusEntry } from '../../src-shared/domain/security.ts';
import type { AgentBackend } from '../../src-main/servers/agent/agentTool.ts';
import { SessionBudget } from '../../src-main/servers/agent/sessionBudget.ts';
import { agentTools } from '../../src-main/servers/agent/serveAgent.ts';
import { toolDefinitions } from '../../src-main/servers/todo/toolSchemas.ts';
import { readSentences, type Names } from '../../src-main/analysis/detectors/learned/features.ts';
import { kindOfPlace, places } from '../../src-main/analysis/detectors/learned/places.ts';
import { prepare } from '../../src-main/analysis/detectors/prepared.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { entrySubject } from '../../src-main/services/security/entrySubject.ts';
import { halfOf, readCorpus } from '../../src-main/services/security/readCorpus.ts';
import type { Bag, Sentence, TrainingData } from './fit.ts';
import { generate, type Made } from './generate.ts';
import { packageProse, type Prose } from './packageProse.ts';
import { numberOf } from './random.ts';
import { knownSplits } from './splits.ts';

/** What a group of entries that is left out of the training has in common. */
export interface LeftOut {
  authors?: readonly number[];
  /** An intent of attacks or a subject of honest sentences. */
  technique?: string;
  /** Honest tools of these servers. */
  fold?: { index: number; of: number };
}

/** Authors whose sentences come from patterns. */
export const wrotePatterns: ReadonlySet<number> = new Set([3, 5]);

const copies = 4;
/** Few sentences of many kinds count more than many sentences of a pattern. */
const attackWeight = 2;
const patternWeight = 0.3;
const developmentWeight = 6;
/**
 * Honest sentences are what most texts consist of, and a false alarm on one of them is worse than a
 * miss. Hard negatives resemble attacks on purpose. Prose about software stands for servers that are
 * unlike the known ones.
 */
const honestWeight = 20;
const hardWeight = 6;
const proseWeights: Readonly<Record<Prose['source'], number>> = {
  readme: 4,
  comment: 4,
  message: 8,
  otherMessage: 2,
};

/** Read once, however many parts of the data weights are fitted to. */
const read = new WeakMap<CorpusEntry, Sentence[]>();

function sentencesOf(entry: CorpusEntry): Sentence[] {
  const known = read.get(entry);
  if (known) return known;
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
  read.set(entry, found);
  return found;
}

/**
 * The tools of the sample, of Todo, of Touchstone for agents and of the made-up corpus as honest
 * entries; without the one whose description gives orders on purpose.
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
  return [...sample, ...made, ...todo, ...ownTools()].map((tool, at) =>
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

/** What `touchstone mcp` offers: the definitions alone, without anything to work on. */
const ownTools = () =>
  agentTools({
    backend: {} as AgentBackend,
    readFile: () => Promise.reject(new Error('Nothing is read.')),
    running: { models: [], budget: new SessionBudget(null) },
  }).map(({ name, title, description, inputSchema, outputSchema }) => ({
    server: 'touchstone',
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }),
    outputSchema: z.toJSONSchema(outputSchema),
  }));

const nothing: ReadonlySet<string> = new Set();
const noNames: Names = { foreign: new Set(), own: new Set(), keys: new Set() };

/** Two of three texts as those of a description, the others as those of a parameter. */
function proseSentences({ text }: Prose): Sentence[] {
  const kind = numberOf(`place ${text}`) % 3 === 0 ? places.parameter : places.description;
  const found: Sentence[] = [];
  readSentences(text, kind, noNames, (start, end, features, count) =>
    found.push({
      text: `${kind} ${text.slice(start, end)}`,
      features: features.slice(0, count),
    }),
  );
  return found;
}

const foldOf = (server: string, of: number): number => numberOf(`fold ${server}`) % of;

/** Honest tools are left out by their server, wordings by their author or subject. */
export const isLeftOut = (
  { kind, author, technique, entry }: Made,
  { fold, ...wordings }: LeftOut,
): boolean =>
  kind === 'honest'
    ? fold !== undefined && foldOf(entry.server ?? '', fold.of) === fold.index
    : wordings.authors?.includes(author) === true || technique === wordings.technique;

/** Every planted text and every honest tool that weights may be fitted to. */
export const trainingEntries = (): Made[] =>
  knownSplits.flatMap((split) =>
    generate(split, copies).filter(
      ({ disguise, technique }) =>
        (disguise === 'none' || disguise === 'html_comment') && !technique.endsWith('_collision'),
    ),
  );

export function trainingData(entries: readonly Made[], leftOut: LeftOut = {}): TrainingData {
  const made = entries.filter((each) => !isLeftOut(each, leftOut));
  const development = readCorpus(
    readFileSync(join(programFiles.datasets, 'security_corpus_v1.json'), 'utf8'),
    'own',
  ).entries.filter(
    ({ id, technique }) => halfOf(id) === 'development' && technique !== 'obfuscated',
  );

  // What a carrier says itself is no attack, nor may it train if its server is left out.
  const carried = new Set(
    entries.flatMap((each) =>
      each.kind === 'honest' ? sentencesOf(each.entry).map(({ text }) => text) : [],
    ),
  );
  const honest = new Map<string, Bag>();
  const addHonest = (entry: CorpusEntry, weight: number, except: ReadonlySet<string> = nothing) => {
    for (const sentence of sentencesOf(entry))
      if (!honest.has(sentence.text) && !except.has(sentence.text))
        honest.set(sentence.text, { weight, sentences: [sentence] });
  };
  for (const { entry, kind } of made) if (kind === 'honest') addHonest(entry, honestWeight);
  for (const { entry, kind } of made)
    if (kind === 'hard_negative') addHonest(entry, hardWeight, carried);
  for (const entry of development) if (entry.label === 'benign') addHonest(entry, hardWeight);
  // The tools that come with the program: nobody may see their own sample accused.
  for (const tool of bundledTools()) addHonest(tool, hardWeight);
  for (const prose of packageProse())
    for (const sentence of proseSentences(prose))
      if (!honest.has(sentence.text))
        honest.set(sentence.text, { weight: proseWeights[prose.source], sentences: [sentence] });

  /** An attack is at least one of the sentences that no honest tool has. */
  const attacks = [
    ...made
      .filter(({ kind }) => kind === 'attack')
      .map(({ entry, author }) => ({
        entry,
        weight: wrotePatterns.has(author) ? patternWeight : attackWeight,
      })),
    ...development
      .filter(({ label }) => label === 'malicious')
      .map((entry) => ({ entry, weight: developmentWeight })),
  ]
    .map(({ entry, weight }) => ({
      weight,
      sentences: sentencesOf(entry).filter(({ text }) => !honest.has(text) && !carried.has(text)),
    }))
    .filter(({ sentences }) => sentences.length > 0);
  return { honest: [...honest.values()], attacks };
}
