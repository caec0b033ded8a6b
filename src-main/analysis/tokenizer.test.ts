import { describe, expect, it } from 'vitest';
import { characterNgrams, wordNgrams, words } from './tokenizer.ts';

describe('words', () => {
  it.each([
    ['read_text_file', ['read', 'text', 'file']],
    ['getHTTPStatus', ['get', 'http', 'status']],
    ['base64Encode user123', ['base64', 'encode', 'user123']],
    ['Don’t stop – now!', ['don', 't', 'stop', 'now']],
    ['ﬁle ＡＢＣ', ['file', 'abc']],
    ['Größe ÅNGSTRÖM', ['größe', 'ångström']],
    ['東京 天気', ['東京', '天気']],
    ['— …', []],
    ['', []],
  ])('would catch a tool name or a foreign script cut at the wrong place: %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

describe('n-grams', () => {
  it('would catch grams that span two words or miss the word edges', () => {
    expect(characterNgrams(3, 3)('ab cde')).toEqual([' ab', 'ab ', ' cd', 'cde', 'de ']);
  });

  it('would catch a short word that vanishes or counts once per n', () => {
    expect(characterNgrams(3, 5)('a')).toEqual([' a ']);
    expect(characterNgrams(3, 5)('ab')).toEqual([' ab', 'ab ', ' ab ']);
  });

  it('would catch characters beyond the basic plane cut in half', () => {
    for (const gram of characterNgrams(2, 3)('𝒳𐐷𐐷')) expect(gram.isWellFormed()).toBe(true);
  });

  it('would catch word n-grams of the wrong length', () => {
    expect(wordNgrams(1, 2)('list all tasks')).toEqual(['list', 'all', 'tasks', 'list all', 'all tasks']);
  });
});
