import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffPart, diffWords } from './diffWords.ts';

const textOf = (parts: readonly DiffPart[], without: DiffPart['kind']): string =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('');

describe('diffWords', () => {
  it('marks only the words that changed', () => {
    expect(diffWords('Reads a file.', 'Reads and sends a file.')).toEqual([
      { kind: 'same', text: 'Reads ' },
      { kind: 'added', text: 'and sends ' },
      { kind: 'same', text: 'a file.' },
    ]);
    expect(diffWords('one two', 'one three')).toEqual([
      { kind: 'same', text: 'one ' },
      { kind: 'removed', text: 'two' },
      { kind: 'added', text: 'three' },
    ]);
  });

  it('compares whole words in every script, not letters', () => {
    expect(diffWords('читает файл', 'читает файлы')).toEqual([
      { kind: 'same', text: 'читает ' },
      { kind: 'removed', text: 'файл' },
      { kind: 'added', text: 'файлы' },
    ]);
  });

  it('returns parts that make up both texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ' ', '\n', '.', 'ü', '🎈', '\u202e'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after);
        expect(textOf(parts, 'added')).toBe(before);
        expect(textOf(parts, 'removed')).toBe(after);
      }),
    );
  });

  it('finds a small change in a long text', () => {
    const half = 'x y '.repeat(20_000);
    expect(diffWords(`${half}${half}`, `${half}new ${half}`)).toEqual([
      { kind: 'same', text: half },
      { kind: 'added', text: 'new ' },
      { kind: 'same', text: half },
    ]);
  });

  it('shows long texts without common words as replaced, instead of blocking the window', () => {
    const before = 'x '.repeat(50_000);
    const after = 'y '.repeat(50_000);
    expect(diffWords(before, after)).toEqual([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]);
  });
});
