import { describe, expect, it } from 'vitest';
import { relaxedJson } from './relaxedJson.ts';
import { readSourceText } from './sourceText.ts';

const valueOf = (text: string): unknown => {
  const read = readSourceText(text);
  return read.readable ? read.value : read.problems;
};

describe('a text in JSON5', () => {
  it.each([
    ['comments', '// cases\n[1, /* two */ 2] // end', [1, 2]],
    ['a comment before it', '/* a\n b */\n{"a": 1}', { a: 1 }],
    ['comments with a number sign', '{ # first\n"a": 1, # second\n"b": 2}', { a: 1, b: 2 }],
    [
      'commas behind the last entry',
      '{"a": [1, 2, ], "b": {"c": 1,},}',
      { a: [1, 2], b: { c: 1 } },
    ],
    ['a comma before a comment', '[1, // one\n]', [1]],
    ['names without quotes', '{prompt:"x",$a_1:1,für:2}', { prompt: 'x', $a_1: 1, für: 2 }],
    ['names with a hyphen or a dot', '{a-b:1, c.d: 2}', { 'a-b': 1, 'c.d': 2 }],
    ['names that are words of JSON', '{null:1, true : false}', { null: 1, true: false }],
    ['single quotes', `{'it': 'it\\'s "x"'}`, { it: 'it\'s "x"' }],
    ['doubled single quotes, as in YAML', `{it: 'it''s'}`, { it: "it's" }],
    ['escapes', `['\\x41\\u0042\\n\\v\\0']`, ['AB\n\v\0']],
    ['the backslash of a pattern', `{p: '\\d+', q: 'C:\\\\x'}`, { p: '\\d+', q: 'C:\\x' }],
    ['a text over two lines', `{a: 'one \\\ntwo', b: 1}`, { a: 'one two', b: 1 }],
    ['tabs in a text', '{a: "x\ty"}', { a: 'x\ty' }],
    ['hexadecimal numbers', '[0x1F, -0xff]', [31, -255]],
    ['numbers with an open point or a plus', '[.5, 5., +1, -.5e3, 5.e1]', [0.5, 5, 1, -500, 50]],
    ['marks of comments in texts', `{a: "// x", 'b': '/* y */'}`, { a: '// x', b: '/* y */' }],
    ['a byte order mark', '\ufeff// c\n{a:1}', { a: 1 }],
  ])('is read with %s', (_, text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it('keeps all digits of its numbers', () => {
    expect(valueOf('{a:12345678901234567890}')).toEqual(valueOf('{"a":12345678901234567890}'));
  });

  it.each([
    ['a name that is there twice', '{\n  a: 1,\n  b: 2, a: 3}', 3, 9],
    ['a comma that is missing', "// c\n[{a: 'x'} {b: 1}]", 2, 11],
    ['a number without an end', '// c\n[Infinity]', 2, 2],
    ['a word without quotes', '// c\n[{query: search it}]', 2, 10],
    ['the name __proto__', "{a: 'b', __proto__: 1}", 1, 10],
  ])('is refused for %s at its place', (_, text, line, column) => {
    const read = readSourceText(text);
    expect(read).toMatchObject({ readable: false });
    expect(read.readable ? [] : read.problems[0]).toMatchObject({ line, column });
  });

  it('gives the places of values as they are in the file', () => {
    const read = readSourceText("{a: 'x', /* c */ b: {c: [1, 0x10, 2]}}");
    if (!read.readable) throw new Error('not read');
    expect(read.problemAt(['b', 'c', 2], '')).toMatchObject({ line: 1, column: 35 });
    expect(read.problemAt(['b'], '', 'name')).toMatchObject({ line: 1, column: 18 });
  });

  it('has nothing to change in plain JSON', () => {
    expect(relaxedJson('{"a": [1, "x", true, null, -1.5e3], "b": {}}')).toBeNull();
  });

  it.each(['[1, 2', '{"a": "x', '{a', "['", '/*', '[1,,2]', '{,}', '[,]'])(
    'is refused if it is broken (%s)',
    (text) => {
      expect(readSourceText(`[${text}`)).toMatchObject({ readable: false });
    },
  );
});

describe('a mapping of YAML in braces', () => {
  it.each([
    ['{query:search}', 1, 2],
    ['cases:\n  - {query: x, tool:search}', 2, 16],
    ['[{a: 1, b:2}]', 1, 9],
  ])('is refused where a name runs into its value (%s)', (text, line, column) => {
    expect(readSourceText(text.startsWith('cases') ? text : `# c\n${text}`)).toMatchObject({
      readable: false,
      problems: [{ line: text.startsWith('cases') ? line : line + 1, column }],
    });
  });
});
