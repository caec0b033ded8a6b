import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffWords } from './wordDiff.ts';

describe('diffWords', () => {
  it('a changed word would mark its neighbours too', () => {
    expect(diffWords('Reads a file.', 'Reads and sends a file.')).toEqual([
      { kind: 'same', text: 'Reads ' },
      { kind: 'added', text: 'and sends ' },
      { kind: 'same', text: 'a file.' },
    ]);
    expect(diffWords('one two', 'one three').map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
    ]);
  });

  it('a text would come out as another one than went in', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ' ', '\n', '.', 'ü', '🎈', '\u202e'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after);
        expect(
          parts
            .filter(({ kind }) => kind !== 'added')
            .map((part) => part.text)
            .join(''),
        ).toBe(before);
        expect(
          parts
            .filter(({ kind }) => kind !== 'removed')
            .map((part) => part.text)
            .join(''),
        ).toBe(after);
      }),
    );
  });

  it('two long texts that share nothing would hold up the window', () => {
    const [before, after] = ['x ', 'y '].map((word) => word.repeat(50_000));
    expect(diffWords(before ?? '', after ?? '')).toHaveLength(3);
  });
});
