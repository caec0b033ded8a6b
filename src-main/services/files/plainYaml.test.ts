import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readPlainYaml } from './plainYaml.ts';
import { YamlTree } from './yamlTree.ts';

/** What the library reads; undefined if it has a problem. */
function ofLibrary(text: string): unknown {
  const { tree } = YamlTree.parse(text, 'core');
  const read = tree?.toValue();
  return read?.problems.length === 0 ? read.value : undefined;
}

describe('plain YAML', () => {
  it.each([
    [
      'lists and mappings',
      '- id: a\n  calls:\n    - tool: b\n      x: 1\n  tags:\n  - c\n- id: d\n',
    ],
    ['a list of lists', '- - 1\n  - - 2\n- 3\n'],
    ['texts in quotes', "- \"a\\n\\u00e9: #\"\n- 'it''s: # no comment'\n"],
    ['values in one line', '- {"a": [1, "b: #", null]}\n- []\n- x: {}\n'],
    ['whole lines', '- a: |\n    x: 1\n      # y\n\n    z\n  b: |-\n    w\n- |\n  v\n'],
    ['comments and empty lines', '# a\n\n- x: 1\n  # b\n  y: 2\n'],
    ['values that are words', '- a: null\n  b: true\n  c: nothing\n  d:\n'],
    ['texts that begin like numbers', '- 1th of May\n- 3 books\n- a-1\n'],
  ])('%s are read as the library reads them', (_name, text) => {
    const read = readPlainYaml(text, 100);
    expect(read).toEqual(ofLibrary(text));
    expect(read).toBeDefined();
  });

  it.each([
    ...['- a # b\n', '- a: b: c\n', '- a:\n', '- &a 1\n', '- *a\n', '- !!str 1\n', '- >\n  a\n'],
    ...['- |+\n  a\n', '- a\n  b\n', '- x: a\n    b\n', '- "a\n  b"\n', '- {a: 1}\n', '- 0x1F\n'],
    ...['- 1.50\n', '- .inf\n', '- ~\n', '- True\n', '- 1_000\n', '- 12345678901234567890\n'],
    ...['- {"a": 1, "a": 2}\n', '- x: 1\n  x: 2\n', '- x: 1\n y: 2\n', '- a\n---\n- b\n', '-\ta\n'],
    ...['- [1.10]\n', '- ? a\n', '- null: 1\n', '- a', '- "\\x41"\n', '- |\n\n  a\n', '- a\r\n'],
  ])('%j is left to the library or read as it does', (text) => {
    const read = readPlainYaml(text, 100);
    if (read !== undefined) expect(read).toEqual(ofLibrary(text));
  });

  it('is left to the library where it is nested too deep', () => {
    expect(readPlainYaml('- - - 1\n', 3)).toEqual([[[1]]]);
    expect(readPlainYaml('- - - - 1\n', 3)).toBeUndefined();
    expect(readPlainYaml('- - [[1]]\n', 3)).toBeUndefined();
  });

  it('never differs from the library, whatever lines there are', () => {
    const part = fc.constantFrom(
      ...['- ', '  ', '    ', 'a: ', 'b:', 'c: ', '1', '-1', '0', 'x y', '"q"', "'r'", '|', '|-'],
      ...[
        '\n',
        '\n',
        '\n  ',
        '\n- ',
        '\n  - ',
        '# n',
        ': ',
        '[1, "s"]',
        '{"t": null}',
        'null',
        '{',
      ],
      ...[
        'true',
        '1.5',
        '"',
        "'",
        '\\',
        '[',
        ']',
        '...',
        '---',
        '  text',
        '\n\n',
        'é',
        '\u2028',
        ',',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const text = `- ${parts.join('')}\n`;
        const read = readPlainYaml(text, 100);
        if (read !== undefined) expect(read).toEqual(ofLibrary(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is what the library writes, or is read as the library does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })),
        fc.boolean(),
        (value, indentSeq) => {
          const text = stringify(value, { indentSeq, lineWidth: 0, blockQuote: 'literal' });
          const read = readPlainYaml(text, 100);
          if (read !== undefined) expect(read).toEqual(ofLibrary(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
