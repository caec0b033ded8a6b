import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readSourceText } from './sourceText.ts';

const filler = 'w'.repeat(20_000);
const valueOf = (text: string): unknown => {
  const read = readSourceText(text);
  return read.readable ? read.value : read.problems;
};

describe('a long quoted text', () => {
  it.each([
    ['on one line', `a: "${filler}"\nb: 1`],
    ['with escapes', String.raw`a: "${filler} \" \\ \n \u00e9 \/"` + '\nb: 1'],
    ['with escapes that JSON lacks', String.raw`a: "${filler} \x41 \ \e"` + '\nb: 1'],
    ['on several lines', `a: "${filler}  \n   more \t\r\n   \n\n  and more\n  "\nb: 1`],
    ['with an escaped break', `a: "${filler} \\\n   more"\nb: 1`],
    ['with an escaped backslash before a break', `a: "${filler} \\\\\n   more"\nb: 1`],
    ['in a list of one line', `[{a: "${filler}", b: 1}, "${filler}x"]`],
    ['as a name', `"${filler.slice(0, 900)}": 1`],
    ['as a long name', `? "${filler}"\n: 1\nb: 2`],
    ['with an anchor', `a: &x "${filler}"\nb: *x`],
    ['with a comment', `a: "${filler}" # why\nb: [1]`],
  ])('%s is read as the library reads it', (_name, text) => {
    expect(valueOf(text)).toEqual(parse(text));
  });

  it('is read as the library reads it, whatever is in it', () => {
    const piece = fc.constantFrom(
      ' ',
      '\t',
      '\n  ',
      '\r\n  ',
      'x',
      "'",
      '#',
      ': ',
      String.raw`\n`,
      String.raw`\\`,
      String.raw`\"`,
      '\\\n  ',
      '\u00a0',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = `a: "${filler}${pieces.join('')}end"\nb: 1`;
        expect(valueOf(text)).toEqual(parse(text));
      }),
    );
  });

  it('keeps the places of what follows', () => {
    const text = `a: "${filler}"\nb: "${filler}\n  x"\nc: .inf\n`;
    expect(readSourceText(text)).toMatchObject({ problems: [{ line: 4, column: 4, path: '/c' }] });
  });
});

describe('a text with too many tokens', () => {
  it('is refused at the token, before anything is built of it', () => {
    // A tag is more than the reader of plain texts reads.
    const text = '- !!int 1\n'.repeat(800_000);
    expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
    const before = process.memoryUsage().heapTotal;
    const read = readSourceText(text);
    expect(read).toMatchObject({
      readable: false,
      problems: [{ message: expect.stringContaining('more than 2,000,000 YAML tokens') as string }],
    });
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(200_000_000);
  });
});
