import { describe, expect, it } from 'vitest';
import { markWords } from './markWords.ts';

describe('markWords', () => {
  it('would catch a text that is not whole again, or a word that is marked inside another', () => {
    const text = 'Reads a File; filenames (file) stay.';
    const parts = markWords(text, ['file']);
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(parts.filter(({ marked }) => marked).map((part) => part.text)).toEqual(['File', 'file']);
    expect(markWords('', ['x'])).toEqual([]);
  });
});
