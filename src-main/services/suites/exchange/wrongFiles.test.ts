import { expect, test } from 'vitest';
import { json, lines, read } from './shapes.fixture.ts';

const asked = 'Is Dune there?';
const user = { role: 'user', content: asked };
const whole = { query: 'Is Dune there?', expected_tool: 'find_book' };
const broken = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `{"query": Q ${at}, "expected_tool": "find_book"}`);

test.each<[what: string, fileName: string, text: string, problem: RegExp]>([
  [
    'a list that is cut off inside a text',
    'a.json',
    json([whole, whole]).slice(0, -30),
    /^The file ends inside a value, as if it were cut off\. Get the whole file/,
  ],
  [
    'a list whose last bracket is missing',
    'a.json',
    json([whole]).slice(0, -1),
    /^The file ends inside a value/,
  ],
  [
    'a list with a quotation mark missing in its middle',
    'a.json',
    json([whole, whole]).replace('there?"', 'there?'),
    /^(?!The file ends).*Correct this first: \d+ more problems? may follow from it\.$/,
  ],
  [
    'YAML with an indentation that fits nowhere',
    'a.yaml',
    'query: Is Dune there?\n  expected_tool: find_book\n bad: [\n',
    /Correct this first: \d+ more problems may follow from it\.$/,
  ],
  [
    'lines of which one is cut off',
    'a.jsonl',
    lines(whole, whole).slice(0, -5),
    /^The line ends inside a value, as if it were cut off/,
  ],
  [
    'thirty lines that are broken in one way',
    'a.jsonl',
    [lines(whole), ...broken(30)].join('\n'),
    /29 more lines can’t be read either: 3, 4, 5 and others\.$/,
  ],
  [
    'lines that are texts',
    'a.jsonl',
    [lines(whole), '"Is Emma there?"', '"Is Emil there?"'].join('\n'),
    /^The line isn’t a JSON object\. 1 more line can’t be read either: 3\.$/,
  ],
  [
    'a pointer of Git LFS',
    'a.jsonl',
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
    /^This is a pointer of Git LFS, not a suite\. The file itself isn’t here/,
  ],
  [
    'a file with an unresolved merge',
    'a.json',
    `<<<<<<< HEAD\n${json([whole])}\n=======\n[]\n>>>>>>> other\n`,
    /^This is a file with an unresolved merge, not a suite\. Keep one of both versions/,
  ],
  ['comments of YAML alone', 'a.yaml', '# cases\n\n# to do\n', /^This is a file of comments alone/],
  ['comments of JSON alone', 'a.json', '// cases\n// to do\n', /^This is a file of comments alone/],
  ['an empty list', 'a.json', '[]', /^This is a file without a value in it, not a suite/],
  ['null', 'a.json', 'null\n', /^This is a file without a value in it, not a suite/],
  [
    'package.json in one line',
    'a.json',
    '{"name":"a","version":"1.0.0","dependencies":{"b":"1"}}',
    /^This is a manifest of a package \(package\.json\), not a suite/,
  ],
  [
    'a JSON Schema in one line',
    'a.json',
    '{"type":"object","properties":{"query":{}},"$schema":"http://json-schema.org/draft-07/schema#"}',
    /^This is a JSON Schema, not a suite/,
  ],
  ...(
    [
      ['chats', { messages: [user, { role: 'assistant', content: 'Yes' }] }],
      ['instructions and outputs', { instruction: asked, input: '', output: 'Yes' }],
      ['prompts and completions', { prompt: asked, completion: 'Yes' }],
      ['chosen and rejected answers', { prompt: asked, chosen: 'Yes', rejected: 'No' }],
    ] as const
  ).map(([what, record]): [string, string, string, RegExp] => [
    `${what} without tools`,
    'a.jsonl',
    lines(record, record),
    /^It’s a set of requests or chats without tools.*Import it as a log.*or add a column/,
  ]),
  ...(
    [
      ['a.json', '{"cases": []}'],
      ['a.json', '{"suite": "x", "data": {\n"cases": []}}'],
      ['a.yaml', 'cases: []\n'],
      ['a.toml', 'cases = []\n'],
    ] as const
  ).map(([fileName, text]): [string, string, string, RegExp] => [
    `an empty list: ${text}`,
    fileName,
    text,
    /^The list "(?:data\.)?cases" is empty\. Add its cases/,
  ]),
  [
    'JSON with a colon missing',
    'a.json',
    '{"cases": [{"query": "a", "tool": "find_book"}, {"query" "b"}]}',
    /^The JSON can’t be read: expected ':' after property name\.$/,
  ],
  [
    'JSON with a comma missing',
    'a.json',
    '[\n  {"query": "a" "tool": "find_book"}\n]',
    /^The JSON can’t be read: expected ',' or '}' after property value\./,
  ],
  [
    'JSON with a text that isn’t quoted',
    'a.json',
    '[\n  {"query": "a", "tool": book}\n]',
    /^The JSON can’t be read: unexpected token 'b'\. Texts need double quotation marks\.$/,
  ],
  [
    'JSON with a bracket too many',
    'a.json',
    '{"a": 1}}',
    /^The JSON can’t be read: unexpected non-whitespace character\.$/,
  ],
  [
    'TOML without records',
    'a.toml',
    '[server]\nname = "x"\n',
    /^It has no list of records\. It is an object with "server"\. Put the cases into a list/,
  ],
  ['TOML that is cut off', 'a.toml', '[[cases]]\nquery = "a\n', /^The TOML can’t be read/],
  [
    'a letter with commas',
    'a.txt',
    'Dear Sir, I would like to ask,\nwhether you, as the owner, could help.\nBest, Tom\n',
    /^This is plain text, not a suite.*one JSON object/,
  ],
])('says in one problem what is wrong with %s', (_what, fileName, text, problem) => {
  expect(read(fileName, text).problems).toEqual([expect.stringMatching(problem)]);
});

test('names each of two kinds of broken lines once', () => {
  const text = [lines(whole), ...broken(3), '"a"', '"b"'].join('\n');
  expect(read('a.jsonl', text).problems).toEqual([
    expect.stringMatching(/2 more lines can’t be read either: 3, 4\.$/),
    expect.stringMatching(/^The line isn’t a JSON object\. 1 more line/),
  ]);
});

test.each([
  ['a.txt', 'query,expected_tool\nIs Dune there?,find_book\n'],
  ['a.txt', 'query\texpected_tool\nIs Dune there?\tfind_book\n'],
  ['cases', 'What the user asks;tool\nIs Dune there?;find_book\n'],
])('still reads a table of any name: %s %j', (fileName, text) => {
  expect(read(fileName, text).lines).toEqual([`${asked} → shelf:find_book`]);
});

test('reads a list whose entries have brackets and escaped quotation marks in their texts', () => {
  const asked = 'Is "[{\\" there?';
  expect(read('a.json', json([{ ...whole, query: asked }])).lines).toEqual([
    `${asked} → shelf:find_book`,
  ]);
});
