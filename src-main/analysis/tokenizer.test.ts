import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterNgrams, words } from './tokenizer.ts';
import { Vocabulary } from './vocabulary.ts';
import { numberWords } from './wordScan.ts';

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
  ])('splits names and scripts at the right places: %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });
});

describe('fast paths', () => {
  const ascii = fc.stringMatching(/^[ -~]{0,60}$/);

  it('split ASCII text like the path for all scripts', () => {
    // One character beyond ASCII, in a word of its own, sends the same text the other way.
    fc.assert(
      fc.property(ascii, (text) => {
        expect([...words(text), 'ß']).toEqual(words(`${text} ß`));
      }),
    );
  });

  it('number words consistently', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(ascii, fc.string({ unit: 'grapheme', maxLength: 12 })), {
          maxLength: 30,
        }),
        (texts) => {
          const vocabulary = new Vocabulary();
          const known = new Map<string, number>();
          for (const text of texts) {
            const numbers: number[] = [];
            numberWords(text, vocabulary, (term) => numbers.push(term));
            const expected = words(text).map((word) => {
              if (!known.has(word)) known.set(word, known.size);
              return known.get(word);
            });
            expect(numbers).toEqual(expected);
          }
          expect(vocabulary.size).toBe(known.size);
          for (const [word, id] of known) expect(vocabulary.find(word)).toBe(id);
          expect(vocabulary.find('never seen')).toBe(-1);
        },
      ),
    );
  });

  it('keep all terms when the vocabulary grows', () => {
    const vocabulary = new Vocabulary();
    const terms = Array.from({ length: 20_000 }, (_, at) => `term${at * 7919}`);
    for (const term of terms) vocabulary.add(term);
    expect(vocabulary.size).toBe(20_000);
    terms.forEach((term, at) => {
      expect(vocabulary.add(term)).toBe(at);
    });
  });
});

describe('n-grams', () => {
  it('stay within words and include word edges', () => {
    expect(characterNgrams(3, 3)('ab cde')).toEqual([' ab', 'ab ', ' cd', 'cde', 'de ']);
  });

  it('count a short word once', () => {
    expect(characterNgrams(3, 5)('a')).toEqual([' a ']);
    expect(characterNgrams(3, 5)('ab')).toEqual([' ab', 'ab ', ' ab ']);
  });

  it('never split a surrogate pair', () => {
    for (const gram of characterNgrams(2, 3)('𝒳𐐷𐐷')) expect(gram.isWellFormed()).toBe(true);
  });
});
