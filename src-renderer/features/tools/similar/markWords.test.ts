import { describe, expect, it } from 'vitest';
import { markWords } from './markWords.ts';

describe('markWords', () => {
  it('marks whole words and keeps the text complete', () => {
    const text = 'Reads a File; filenames (file) stay.';
    const parts = markWords(text, ['file']);
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(parts.filter(({ marked }) => marked).map((part) => part.text)).toEqual(['File', 'file']);
    expect(markWords('', ['x'])).toEqual([]);
  });
});
