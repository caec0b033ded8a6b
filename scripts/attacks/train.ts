/**
 * Fits the weights of the learned part of the detectors to the train split:
 *
 *   node scripts/attacks/train.ts
 *
 * Logistic regression by stochastic gradient descent over hashed features, seeded: the same
 * wordings and tools give the same weights on every machine. Writes
 * `src-main/analysis/detectors/learned/weights.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusEntry, type CorpusEntry } from '../../src-shared/domain/security.ts';
import { toolDefinitions } from '../../src-main/servers/todo/toolSchemas.ts';
import { buckets, readSentences } from '../../src-main/analysis/detectors/learned/features.ts';
import { kindOfPlace } from '../../src-main/analysis/detectors/learned/places.ts';
import { prepare } from '../../src-main/analysis/detectors/prepared.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { entrySubject } from '../../src-main/services/security/entrySubject.ts';
import { halfOf, readCorpus } from '../../src-main/services/security/readCorpus.ts';
import { foldOf } from './folds.ts';
import { generate } from './generate.ts';
import { Choices } from './random.ts';

/** One sentence: its features, and its text, by which repeated sentences are counted once. */
interface Sentence {
  text: string;
  features: Int32Array;
}

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

const { 'leave-out': leftOut } = parseArgs({ options: { 'leave-out': { type: 'string' } } }).values;
const copies = 4;
/** Few sentences of many kinds count more than many sentences of a pattern. */
const frozenWeight = 2;
const developmentWeight = 12;
const made = generate('train', copies).filter(
  ({ disguise, technique }) =>
    (disguise === 'none' || disguise === 'html_comment') && !technique.endsWith('_collision'),
);
const development = readCorpus(
  readFileSync(join(programFiles.datasets, 'security_corpus_v1.json'), 'utf8'),
  'own',
).entries.filter(({ id, technique }) => halfOf(id) === 'development' && technique !== 'obfuscated');

const honest = new Map<string, Sentence>();
const addHonest = (entry: CorpusEntry) => {
  for (const sentence of sentencesOf(entry)) honest.set(sentence.text, sentence);
};
/** Servers are left out by a hash of their names: a quarter at a time. */
const isLeftOut = ({ server }: CorpusEntry) =>
  leftOut !== undefined && foldOf(server ?? '') === Number(leftOut);
const realTools = [...made, ...generate('validation', 0)].filter(({ kind }) => kind === 'honest');
for (const { entry } of realTools) if (!isLeftOut(entry)) addHonest(entry);
const usual = honest.size;
for (const { entry, kind } of made) if (kind === 'hard_negative') addHonest(entry);
for (const entry of development) if (entry.label === 'benign') addHonest(entry);
// The tools that come with the program: nobody may see their own sample accused.
for (const tool of bundledTools()) addHonest(tool);

/** An attack is at least one of the sentences that no honest tool has. */
const attacks = [
  ...made
    .filter(({ kind }) => kind === 'attack')
    .map(({ entry, author }) => ({ entry, weight: author === 'third' ? 1 : frozenWeight })),
  ...development
    .filter(({ label }) => label === 'malicious')
    .map((entry) => ({ entry, weight: developmentWeight })),
]
  .map(({ entry, weight }) => ({
    weight,
    bag: sentencesOf(entry).filter(({ text }) => !honest.has(text)),
  }))
  .filter(({ bag }) => bag.length > 0);

const weights = new Float64Array(buckets);
const squares = new Float64Array(buckets).fill(1e-3);
let bias = 0;
let biasSquare = 1e-3;
const rate = 0.08;
const decay = 3e-3;
const epochs = 25;
/**
 * Honest sentences are what most texts consist of. Hard negatives resemble attacks on purpose, and
 * few real tools are written in other languages than English.
 */
const honestWeight = 3;
const hardWeight = 8;

const scoreOf = ({ features }: Sentence): number => {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return bias + sum / Math.sqrt(features.length);
};

function step(sentence: Sentence, target: number, weight: number): void {
  const { features } = sentence;
  const error = (target - 1 / (1 + Math.exp(-scoreOf(sentence)))) * weight;
  const share = error / Math.sqrt(features.length);
  for (const feature of features) {
    const old = weights[feature] ?? 0;
    const gradient = share - decay * old;
    const square = (squares[feature] ?? 0) + gradient * gradient;
    squares[feature] = square;
    weights[feature] = old + (rate * gradient) / Math.sqrt(square);
  }
  biasSquare += error * error;
  bias += (rate * error) / Math.sqrt(biasSquare);
}

const negatives = [...honest.values()].map((sentence, index) => ({
  weight: index < usual ? honestWeight : hardWeight,
  pick: () => sentence,
  target: 0,
}));
const positives = attacks.map(({ bag, weight }) => ({
  weight,
  pick: () => bag.reduce((best, each) => (scoreOf(each) > scoreOf(best) ? each : best)),
  target: 1,
}));
const samples = [...negatives, ...positives];
const choices = new Choices('training order');
const order = samples.map((_, index) => index);
for (let index = order.length - 1; index > 0; index -= 1) {
  const other = choices.integer(index + 1);
  [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
}
for (let epoch = 0; epoch < epochs; epoch += 1) {
  for (const index of order) {
    const sample = samples[index];
    if (sample) step(sample.pick(), sample.target, sample.weight);
  }
}

/** Eight bits for each weight: the largest one is 127. */
const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
const scale = largest / 127;
const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
const lines =
  Buffer.from(bytes.buffer)
    .toString('base64')
    .match(/.{1,900}/g) ?? [];
writeFileSync(
  join(import.meta.dirname, '../../src-main/analysis/detectors/learned/weights.ts'),
  `// Written by scripts/attacks/train.ts.\n` +
    `export const scale = ${scale};\nexport const bias = ${bias};\n` +
    `export const weightsBase64 = [\n${lines.map((line) => `  '${line}',\n`).join('')}].join('');\n`,
);
process.stdout.write(
  `${attacks.length} attacks, ${honest.size} honest sentences (${usual} of real tools), ` +
    `${bytes.filter((weight) => weight !== 0).length} of ${buckets} weights are not 0\n`,
);
