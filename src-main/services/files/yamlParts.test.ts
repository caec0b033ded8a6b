import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readSourceText } from './sourceText.ts';
import { readYamlList, readYamlParts } from './yamlParts.ts';
import { YamlTree } from './yamlTree.ts';

/** Parts of one entry each, of texts of any length. */
const small = { minLength: 0, partLength: 1, packedLength: 1 };

/** What the tree of the whole text gives; undefined if it has a problem. */
function whole(text: string): unknown {
  const { tree } = YamlTree.parse(text, 'core');
  const read = tree?.toValue();
  return read?.problems.length === 0 ? read.value : undefined;
}

describe('a YAML text with a long list', () => {
  it.each([
    ['indented', 'a: 1\ncases:\n  - x: 1\n    y: [1, 2]\n  - x: 2\n'],
    ['at the left edge', 'cases:\n- x: 1\n- x: 2\n- 3\n'],
    ['followed by more', 'cases:\n  - x: 1\n  - x: 2\n  - x: 3\nname: end\n'],
    ['with comments', 'cases: # all\n# one\n\n  # two\n  - x: 1 # three\n# four\n  - x: 2\n'],
    ['with Windows line ends', 'cases:\r\n  - x: |\r\n      a\r\n\r\n      b\r\n  - x: 2\r\n'],
    ['of lists', 'cases:\n  - - 1\n    - 2\n  -\n    - 3\n  - []\n'],
    ['with texts that look like entries', 'cases:\n  - x: |\n      - y\n  - x: "a\n     - b"\n'],
    ['that is all of it', '# all\n- x: 1\n  y: |\n    - z\n- x: 2\n'],
    ['that is all of it, indented, behind a mark', '---\n  - x: 1\n  - - 2\n    - 3\n'],
    ['with empty entries', 'cases:\n  -\n  - x: 1\n  -'],
  ])('%s is read as its whole tree is', (_name, text) => {
    expect(readYamlList(text, small)).toEqual(whole(text));
  });

  it.each([
    ['an alias', 'cases:\n  - &a {x: 1}\n  - *a\n  - *a\n'],
    ['an alias within an entry', 'cases:\n  - x: &a [1]\n    y: *a\n  - 2\n'],
    ['a directive', '%YAML 1.1\n---\ncases:\n  - yes\n  - no\n  - 08\n'],
    ['a second document', 'cases:\n  - 1\n  - 2\n---\ncases:\n  - 1\n'],
    ['its name twice', 'cases:\n  - 1\n  - 2\n  - 3\ncases:\n  - 4\n'],
    ['an entry that is cut by its name', 'name: "\ncases:\n  - 1\n  - 2"\n'],
    ['a quoted text across entries', 'cases:\n- "a\n- b"\n- c\n'],
    ['an open list', 'cases:\n  - [1,\n  - 2\n'],
    ['an entry with a name twice', 'cases:\n  - {a: 1, a: 2}\n  - 2\n'],
    ['an entry at another place', 'cases:\n  - 1\n - 2\n'],
    ['an entry before its first one', '- a\n- b\nc: 1\n'],
    ['no list', 'cases: 1\n'],
  ])('with %s is left to the whole tree', (_name, text) => {
    expect(readYamlList(text, small)).toBeUndefined();
  });

  it('is read as its whole tree is, whatever is in it', () => {
    const line = fc.constantFrom(
      ...['- a', '  - b: 1', '    c: "x', '  y"', '- |', '   text', '# note', '', 'd: 1', '...'],
      ...[
        "- 'q",
        "  r'",
        '  - &z 1',
        '  - *z',
        '- {e: 1,',
        '  f: 2}',
        '-',
        '    - g',
        '>-',
        '  --- h',
        '  - >-',
        '   folded',
        '- i:\t1\t# tab',
        '\t',
      ],
    );
    const lineEnd = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), lineEnd, (lines, end) => {
        for (const start of ['cases:\n', '', '---\n']) {
          const text = `${start}${lines.join('\n')}\n`.replaceAll('\n', end);
          const read = readYamlList(text, small);
          if (read !== undefined) expect(read).toEqual(whole(text));
        }
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 2 }),
        fc.boolean(),
        (cases, indentSeq) => {
          const text = stringify({ name: 'all', cases, end: 1 }, { indentSeq });
          const read = readYamlList(text, small);
          if (read !== undefined) expect(read).toEqual(whole(text));
        },
      ),
    );
  });

  it.each([
    ['a list', '- x: 1\n- y: [12345678901234567890]\n- z\n', []],
    ['a list with a name', 'a: 1\ncases:\n  - x: 1\n  - y: 2\nb: 2\n', ['cases']],
  ])('gives %s in parts, as often as it is asked', (_name, text, path) => {
    const read = readYamlParts(text, small);
    expect(read?.path).toEqual(path);
    for (let time = 0; time < 2; time += 1) {
      const parts = [...(read?.parts() ?? [])];
      const entries = parts.flatMap(({ document }) =>
        path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document),
      );
      expect(parts.map(({ from }) => from)).toEqual(parts.map((_, at) => at));
      expect(entries).toEqual(
        path.reduce<unknown>(
          (value, name) => (value as Record<string, unknown>)[name],
          whole(text),
        ),
      );
    }
  });

  it.each([
    ['an endless number', '- .inf\n- 2\n'],
    ['a name that objects have', 'a: 1\ncases:\n  - __proto__: 1\n  - 2\n'],
  ])('gives none in parts with %s', (_name, text) => {
    expect(readYamlParts(text, small)).toBeUndefined();
  });

  it('places a problem of a long text as in a short one', () => {
    const cases = Array.from({ length: 3_000 }, (_, at) => `  - "${'w'.repeat(400)} ${at}"`);
    const text = `cases:\n${cases.join('\n')}\n  - .inf\n`;
    expect(readYamlList(text)).toMatchObject({ cases: { length: 3_001 } });
    expect(readSourceText(text)).toMatchObject({
      problems: [{ line: 3_002, column: 5, path: '/cases/3000' }],
    });
  });
});
