import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCorpus } from '../../src-main/services/security/readCorpus.ts';
import { carriersOf } from './carriers.ts';
import { disguiseNames, disguises } from './disguises.ts';
import { generate } from './generate.ts';
import { openTest } from './openTest.ts';
import { packageProse } from './packageProse.ts';
import { readWordings, serverSplits } from './wordings.ts';

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
        author === 'second' ||
        (author === 'first' && (technique === 'concealment' || technique === 'false_error'))
      )
        expect(split).toBe('test');
  });

  it.each([
    ['fresh', ['fourth', 'seventh', 'sixth', 'thirteenth', 'twelfth']],
    ['unseen', ['thirtyfifth', 'thirtyfourth']],
  ])('keeps the split %s to its authors, with as many honest sentences as attacks', (split, by) => {
    const own = wordings.filter((each) => each.split === split);
    expect([...new Set(own.map(({ author }) => author))].sort()).toEqual(by);
    expect(wordings.filter(({ author }) => by.includes(author))).toHaveLength(own.length);
    const count = (kind: string) => own.filter((each) => each.kind === kind).length;
    expect(count('honest')).toBeGreaterThanOrEqual(0.9 * count('attack'));
    expect(new Set(own.map(({ language }) => language)).size).toBe(8);
    const intents = own.flatMap(({ kind, technique }) => (kind === 'attack' ? [technique] : []));
    expect(new Set(intents).size).toBe(9);
  });

  it('trains on the third author alone', () => {
    const third = wordings.filter(({ author }) => author === 'third');
    expect(new Set(third.map(({ split }) => split))).toEqual(new Set(['train']));
    expect(new Set(third.map(({ language }) => language)).size).toBe(8);
    expect(third.filter(({ text }) => /[[<][a-z]+[|>]/.test(text))).toEqual([]);
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
