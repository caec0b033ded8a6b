import { describe, expect, it } from 'vitest';
import { entryCategories, entryLabels } from '../domain/security.ts';
import {
  detectorFinding,
  entryCategoryText,
  entryKind,
  entryLabelText,
  entryText,
  missedByCategory,
} from './detectorTexts.ts';

describe('detectorFinding', () => {
  const several = [{}, {}];

  it('says what is found and what is flagged by mistake', () => {
    const combined = { tp: 45, fn: 15, fp: 2, tn: 1198 };
    expect(detectorFinding({ perDetector: several, combined })).toBe(
      'Together, the detectors find 45 of 60 attacks and flag 2 of 1,200 honest texts by mistake.',
    );
    expect(detectorFinding({ perDetector: [{}], combined })).toBe(
      'The detector finds 45 of 60 attacks and flags 2 of 1,200 honest texts by mistake.',
    );
  });

  it('leaves out a side that the corpus has no entries for', () => {
    const of = (tp: number, fp: number, tn: number) =>
      detectorFinding({ perDetector: several, combined: { tp, fn: 0, fp, tn } });
    expect(of(1, 0, 0)).toBe('Together, the detectors find 1 of 1 attack.');
    expect(of(0, 1, 3)).toBe('Together, the detectors flag 1 of 4 honest texts by mistake.');
  });
});

describe('the words of labeled entries', () => {
  it('are one term for honest texts, and one for those that resemble attacks', () => {
    expect(entryLabels.map(entryLabelText)).toEqual(['Attack', 'Honest text']);
    expect(entryCategories.slice(-2).map(entryCategoryText)).toEqual([
      'Honest, ordinary',
      'Honest, resembles attacks',
    ]);
    expect(entryCategoryText('tool_poisoning')).toBe('Tool poisoning');
  });
});

describe('missedByCategory', () => {
  const rate = (n: number) => ({ value: null, low: null, high: null, n });

  it('names the kinds of missed attacks, the most missed first, without honest texts', () => {
    expect(
      missedByCategory({
        categories: [
          { category: 'tool_poisoning', flagged: 39, rate: rate(41) },
          { category: 'prompt_injection', flagged: 25, rate: rate(25) },
          { category: 'rug_pull', flagged: 11, rate: rate(1500) },
          { category: 'benign', flagged: 0, rate: rate(86) },
          { category: 'hard_negative', flagged: 2, rate: rate(86) },
        ],
      }),
    ).toBe('Rug pull 1,489 of 1,500 · Tool poisoning 2 of 41');
  });

  it('is empty if no attack is missed', () => {
    expect(missedByCategory({ categories: [] })).toBe('');
  });
});

describe('entryKind', () => {
  it('names the kind and the disguise of an attack, and what an honest text resembles', () => {
    expect(entryKind({ category: 'rug_pull', technique: 'plain' })).toBe('Rug pull, plain');
    expect(entryKind({ category: 'rug_pull' })).toBe('Rug pull');
    expect(entryKind({ category: 'hard_negative', resembles: 'shadowing' })).toBe(
      'Resembles shadowing',
    );
    expect(entryKind({ category: 'benign' })).toBe('Honest, ordinary');
  });
});

describe('entryText', () => {
  const entry = {
    id: 'a',
    label: 'malicious',
    category: 'shadowing',
    provenance: { source: 'own', license: 'MIT' },
  } as const;

  it('is the description, or the next text of an entry without one', () => {
    expect(entryText({ ...entry, description: 'Adds.', instructions: 'Be kind.' })).toBe('Adds.');
    expect(entryText({ ...entry, description: ' ', instructions: 'Be kind.' })).toBe('Be kind.');
    expect(
      entryText({ ...entry, description: '', tool: { name: 'add', description: 'Sums.' } }),
    ).toBe('Sums.');
    expect(entryText({ ...entry, description: '', tool: 'add' })).toBe('add');
    expect(entryText({ ...entry, description: '' })).toBe('');
  });
});
