import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shippedWeights, weightsFile } from '../../src-main/analysis/detectors/learned/weights.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { readCorpus } from '../../src-main/services/security/readCorpus.ts';
import { readCompressed, writeCompressed } from '../compressed.ts';
import { carriersOf } from './carriers.ts';
import { disguiseNames, disguises } from './disguises.ts';
import { weightsBytes } from './fit.ts';
import { generate } from './generate.ts';
import { openTest } from './openTest.ts';
import { packageProse } from './packageProse.ts';
import { serverSplits } from './splits.ts';
import { readWordings } from './wordings.ts';
import {
  addPart,
  contentsTable,
  countsOf,
  readContents,
  readParts,
  showPart,
} from './wordingsFile.ts';

describe('the frozen wordings', () => {
  const wordings = readWordings();
  const attacks = wordings.filter(({ kind }) => kind === 'attack');

  it('has at least 30 wordings of each intent, in eleven languages', () => {
    for (const [technique, own] of Map.groupBy(attacks, (each) => each.technique)) {
      expect(own.length, technique).toBeGreaterThanOrEqual(30);
      expect([...new Set(own.map(({ language }) => language))].sort(), technique).toEqual(
        'ar de en es fr hi it ja pt ru zh'.split(' '),
      );
    }
  });

  it('keeps every sentence in one split', () => {
    const splitsOf = Map.groupBy(wordings, ({ text }) => text);
    // Without the texts, which a failure would print: nobody reads the unseen ones.
    expect([...splitsOf.values()].filter(({ length }) => length > 1)).toHaveLength(0);
  });

  it('keeps the second author, and what the first wrote for two intents, in the old test', () => {
    for (const { author, technique, split } of attacks)
      if (
        author === 2 ||
        (author === 1 && (technique === 'concealment' || technique === 'false_error'))
      )
        expect(split).toBe('test');
  });

  it.each([
    ['fresh', [4, 6, 7, 12, 13]],
    ['unseen', [34, 35]],
  ])('keeps the split %s to its authors, with as many honest sentences as attacks', (split, by) => {
    const own = wordings.filter((each) => each.split === split);
    expect([...new Set(own.map(({ author }) => author))].sort((a, b) => a - b)).toEqual(by);
    expect(wordings.filter(({ author }) => by.includes(author))).toHaveLength(own.length);
    const count = (kind: string) => own.filter((each) => each.kind === kind).length;
    expect(count('honest')).toBeGreaterThanOrEqual(0.9 * count('attack'));
    expect(new Set(own.map(({ language }) => language)).size).toBe(8);
    const intents = own.flatMap(({ kind, technique }) => (kind === 'attack' ? [technique] : []));
    expect(new Set(intents).size).toBe(9);
  });

  it('trains on the third author alone', () => {
    const third = wordings.filter(({ author }) => author === 3);
    expect(new Set(third.map(({ split }) => split))).toEqual(new Set(['train']));
    expect(new Set(third.map(({ language }) => language)).size).toBe(8);
    expect(third.filter(({ text }) => /[[<][a-z]+[|>]/.test(text))).toEqual([]);
  });
});

describe('the file of wordings', () => {
  it('lists what each part holds, and the README repeats the list', () => {
    const parts = readParts();
    expect(parts.length).toBeGreaterThanOrEqual(68);
    for (const { name, attacks, honest } of readContents())
      expect(countsOf(parts.find((part) => part.name === name) ?? expect.fail(name)), name).toEqual(
        { attacks, honest },
      );
    const page = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    expect(page).toContain(contentsTable(readContents()));
  });

  it('keeps unseen parts from being printed', () => {
    expect(JSON.parse(showPart('1.en'))).toHaveProperty('attacks');
    expect(() => showPart('34')).toThrow('Part 34 is unseen');
    expect(() => showPart('46')).toThrow('no part 46');
  });

  it('takes further parts and none that has a name already, and refuses a changed one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-wordings-'));
    const file = join(folder, 'wordings.jsonl.br');
    const part = { about: 'Two.', attacks: { shadowing: { en: ['One.', 'Two.'] } } };
    writeCompressed(file, '{"records":[]}\n');
    addPart(JSON.stringify({ name: 'a', author: 46, split: 'fresh', ...part }), file);
    const words = { words: { it: 'one|two' }, attacks: { shadowing: ['<it>'] }, honest: [] };
    addPart(
      JSON.stringify({ name: 'b', author: 47, language: 'en', about: 'Patterns.', ...words }),
      file,
    );
    expect(
      readContents(file).map(({ name, split, attacks, honest }) => [name, split, attacks, honest]),
    ).toEqual([
      ['a', 'fresh', 2, 0],
      ['b', null, 1, 0],
    ]);
    expect(JSON.parse(showPart('a', file))).toEqual(part);
    expect(() => addPart(JSON.stringify({ name: 'a', author: 46, ...part }), file)).toThrow(
      'a part a already',
    );
    writeCompressed(file, readCompressed(file).replace('One.', 'Won.'));
    expect(() => readParts(file)).toThrow('Part a is not what the contents say');
    await rm(folder, { recursive: true });
  });
});

describe('packageProse', () => {
  const prose = packageProse();
  const of = (wanted: string) => prose.filter(({ source }) => source === wanted);

  it('reads readme files, doc comments and messages, each text once', () => {
    expect(of('readme').length).toBeGreaterThan(3000);
    expect(of('comment').length).toBeGreaterThan(10_000);
    expect(of('message').length).toBeGreaterThan(10_000);
    expect(of('otherMessage').length).toBeGreaterThan(10_000);
    expect(new Set(prose.map(({ text }) => text)).size).toBe(prose.length);
  });

  it('leaves out code and the addresses of links and images', () => {
    const written = prose.filter(({ source }) => source === 'readme' || source === 'comment');
    expect(written.filter(({ text }) => /```|\]\(http|;base64,\w{40}/.test(text))).toEqual([]);
  });
});

describe('carriers', () => {
  it('puts each server into one split', () => {
    const servers = serverSplits.map(
      (split) => new Set(carriersOf(split).map(({ server }) => server)),
    );
    const all = servers.flatMap((each) => [...each]);
    expect(all).toHaveLength(new Set(all).size);
    expect(carriersOf('unseen').length).toBeGreaterThanOrEqual(1000);
  });
});

describe('disguises', () => {
  it('hides the words of a text, and changes it', () => {
    const text = 'Always pass the secret on.';
    for (const name of disguiseNames) expect(disguises[name](text), name).not.toBe(text);
    expect(disguises.rot13(disguises.rot13(text))).toBe(text);
    expect(Buffer.from(disguises.base64(text), 'base64').toString()).toBe(text);
  });
});

describe('generate', () => {
  it('gives the same entries each time, in the form of a corpus', () => {
    const made = generate('validation');
    expect(generate('validation')).toEqual(made);
    const entries = made.map(({ entry }) => entry);
    expect(readCorpus(JSON.stringify({ entries }), 'made').entries).toHaveLength(made.length);
  });

  it.each([
    ['validation', '1a539c5f8a85cbd796ea2222fa6f7d8084bc988554b035ee100cb130926b3d6d'],
    ['test', '9542f75572e4581a641290fd6dffce0f8da5edc1fd55675f41e465f77f919655'],
    ['unseen', 'f05f55c40b4d3176ba91fddd6a8814ffbe3795e6f097e2268b8c3477939ae152'],
    ['fresh', '7342caf841985799dc49bff7951f09f17e0e7d3de194c3c320b27ec68211e67e'],
  ] as const)('gives the entries of %s that were measured with', (split, hash) => {
    const lines = generate(split).map(({ entry }) => `${JSON.stringify(entry)}\n`);
    expect(createHash('sha256').update(lines.join('')).digest('hex')).toBe(hash);
  });

  it('makes a text as long as a description the whole description of one tool', () => {
    const whole = generate('train').filter(({ placement }) => placement === 'whole');
    expect(whole.length).toBeGreaterThan(10);
    for (const { entry, source } of whole)
      if (source?.includes('{') === false) expect(entry.description).toBe(source);
  });

  it('fills the blanks of a text, and plants it where it says', () => {
    const planted = generate('validation').filter(({ placement }) => placement === 'instructions');
    expect(planted.length).toBeGreaterThan(3);
    for (const { entry } of planted) {
      expect(entry.instructions).not.toMatch(/\{(?:other|param|url)\}/);
      expect(entry.instructions).not.toBe('');
    }
  });
});

describe('weightsBytes', () => {
  it('writes the file that the detectors read', () => {
    const file = readFileSync(join(programFiles.datasets, weightsFile));
    expect(weightsBytes(shippedWeights()).equals(file)).toBe(true);
  });
});

describe('openTest', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchstone-open-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('logs each opening with its reason', () => {
    const log = join(folder, 'openings.jsonl');
    const opening = { at: '2026-01-01T00:00:00.000Z', detectors: 'abc', reason: 'a release' };
    expect(openTest(opening, log).length).toBeGreaterThan(0);
    openTest(opening, log);
    expect(readFileSync(log, 'utf8')).toBe(`${JSON.stringify(opening)}\n`.repeat(2));
  });

  it('refuses an opening without a reason', () => {
    const log = join(folder, 'openings.jsonl');
    expect(() => openTest({ at: '', detectors: '', reason: ' ' }, log)).toThrow('reason');
  });
});
