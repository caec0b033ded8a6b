import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxSuiteFileBytes } from '../../../src-shared/contract/suites.ts';
import { casesOfFile, tasksOfFile } from '../../../src-shared/domain/suiteFile.ts';
import { draws } from '../../testing/nightly.ts';
import { readSuiteFile, validateSuiteText } from './suiteFile.ts';

const head = 'version: 1\nname: s\nservers: [todo]\n';
const first = (text: string) => validateSuiteText(text).problems[0];
const places = (text: string) =>
  validateSuiteText(text).problems.map(
    ({ line, column, path, message }) => `${line}:${column} ${path} ${message}`,
  );
const jsonSuite = (expected: string) =>
  `{"version":1,"name":"s","servers":[],"cases":[{"id":"a","name":"a","query":"q","expected_calls":[{"server":"t","tool":"u","parameters":{"x":${expected}}}]}]}`;
/** Where `expected` begins in it. */
const valueColumn = jsonSuite('').indexOf('"x":') + 5;
const parametersOf = (text: string): unknown => {
  const { file, problems } = readSuiteFile(text);
  expect(problems).toEqual([]);
  return file === null ? null : casesOfFile(file)[0]?.expected_calls[0]?.parameters;
};

const whole = `# kept in git
version: 1
name: Todo basics
servers: [todo]
system: You are brief.
messages:
  - { role: user, content: hello }
cases:
  - id: add
    name: Adds a task
    query: Add milk
    tags: [write]
    servers: [todo, mail]
    expected_calls:
      - { server: todo, tool: list_tasks }
      - any_of: [{ server: todo, tool: add_task }, { server: mail, tool: note }]
        parameters: { title: { $contains: milk }, due: 2024-01-01, flag: no, n: 1.0 }
    order_dependent: true
    allowed_calls: [{ server: todo, tool: list_tasks }]
    stub_results: [{ server: todo, tool: list_tasks, result: null }]
  - { id: chat, name: Small talk, query: How are you?, expected_calls: [] }
`;

describe('suite file reader', () => {
  test('reads every field and keeps YAML words as text', () => {
    const { file, problems } = readSuiteFile(whole);
    expect(problems).toEqual([]);
    expect(file).toMatchObject({
      version: 1,
      name: 'Todo basics',
      system: 'You are brief.',
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(file?.cases[0]).toEqual({
      id: 'add',
      name: 'Adds a task',
      query: 'Add milk',
      tags: ['write'],
      servers: ['todo', 'mail'],
      expected_calls: [
        { server: 'todo', tool: 'list_tasks' },
        {
          any_of: [
            { server: 'todo', tool: 'add_task' },
            { server: 'mail', tool: 'note' },
          ],
          parameters: { title: { $contains: 'milk' }, due: '2024-01-01', flag: 'no', n: 1 },
        },
      ],
      order_dependent: true,
      allowed_calls: [{ server: 'todo', tool: 'list_tasks' }],
      stub_results: [{ server: 'todo', tool: 'list_tasks', result: null }],
    });
    const json = JSON.stringify(file, null, 2);
    for (const text of [
      json,
      `\ufeff${json}`,
      JSON.stringify(file),
      `  \r\n${json.replaceAll('\n', '\r\n')}`,
    ])
      expect(readSuiteFile(text)).toEqual({ file, problems: [] });
  });

  test('reports every problem with line, column and path', () => {
    expect(
      places(
        `version: 2\nname: ''\nservers: todo\ncolour: red\ncases:\n  - id: a\n    name: A\n    query: q\n    expected_calls: [{ server: todo }]\n  - name: B\n    query: 7\n    expected_calls: []\n`,
      ),
    ).toEqual([
      '1:10 /version Version 2 of the format isn’t supported. Use version 1.',
      '2:7 /name Enter a value: it can’t be empty.',
      '3:10 /servers The value must be an array.',
      '4:1 /colour The format has no field "colour" here. Remove or rename it.',
      '9:22 /cases/0/expected_calls/0/tool "tool" is required.',
      '10:5 /cases/1/id "id" is required.',
      '11:12 /cases/1/query The value must be a string.',
    ]);
    expect(
      places(
        '{\n\t"version": 1,\n\t"name": "s",\n\t"servers": [],\n\t"cases": [\n\t\t{"id": "a", "name": "A", "expected_calls": [], "querry": "q"}\n\t]\n}',
      ),
    ).toEqual([
      '6:3 /cases/0/query "query" is required.',
      '6:50 /cases/0/querry The format has no field "querry" here. Remove or rename it.',
    ]);
    expect(first('')).toEqual({
      line: 1,
      column: 1,
      path: '',
      message: 'This is an empty file, not a suite. Choose another file.',
    });
    expect(first('- 1\n')).toMatchObject({ line: 1, column: 1 });
    expect(places(`${head}messages: [{ role: system, content: x }]\ncases: []`)).toEqual([
      '4:20 /messages/0/role The value must be "user" or "assistant".',
    ]);
  });

  test('rejects duplicate case ids', () => {
    const text = `${head}cases:\n  - { id: a, name: A, query: q, expected_calls: [] }\n  - { id: b, name: B, query: q, expected_calls: [] }\n  - { id: a, name: C, query: q, expected_calls: [] }\n`;
    expect(places(text)).toEqual(['7:11 /cases/2/id Case 1 already has the ID "a". Change one.']);
  });

  test('names the "#" that YAML reads as a comment, with its line', () => {
    const text = 'version: 1\nname: a\ncases:\n  - id: a\n    query: #12 is open\n';
    expect(places(text)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^5:.*"#" begins a comment in YAML/u)]),
    );
    const cut = (id: string, after = '') =>
      `  - id: ${id}\n    name: A${after}\n    query: q\n    expected_calls: []\n`;
    const hint = '"#" begins a comment in YAML: put the value in quotes.';
    expect(places(`${head}cases:\n${cut('issue #1')}${cut('issue #2')}`)).toEqual([
      `9:9 /cases/1/id Case 1 already has the ID "issue". Change one. ${hint}`,
    ]);
    expect(places(`${head}cases:\n${cut('a # first')}${cut('"a" # second')}`)).toEqual([
      '9:9 /cases/1/id Case 1 already has the ID "a". Change one.',
    ]);
  });

  test('reports problems of shape, notation, id and matcher together, in file order', () => {
    const cases =
      'cases:\n  - { id: a, name: A, querry: q, expected_calls: [] }\n  - { id: a, name: B, query: q, query: r, expected_calls: [{ server: s, tool: t, parameters: { n: { $regexp: x } } }] }\n  - { id: c, name: C, query: q, expected_calls: [{ server: s, tool: t, parameters: { n: .nan } }] }\n';
    expect(places(`${head}${cases}`).map((place) => place.slice(0, 60))).toEqual([
      expect.stringContaining('5:5 /cases/0/query "query" is required.'),
      expect.stringContaining('5:23 /cases/0/querry The format has no field "querry"'),
      expect.stringContaining('6:11 /cases/1/id Case 1 already has the ID "a"'),
      expect.stringContaining('6:33  The object has "query" twice'),
      expect.stringMatching(/^6:\d+ \/cases\/1\/expected_calls\/0\/parameters\/n\/\$regexp/),
      expect.stringMatching(/^7:\d+ \/cases\/2\/expected_calls\/0\/parameters\/n The number/),
    ]);
  });

  test('names arguments for all that no call is compared with, because each has its own', () => {
    const suite = (own: string) =>
      `${head}cases:\n  - id: a\n    name: A\n    query: q\n    expected_calls:\n      - any_of:\n          - { server: t, tool: u, parameters: { x: 1 } }\n          - { server: t, tool: v${own} }\n        parameters: { y: 2 }\n`;
    expect(places(suite(', parameters: {}'))).toEqual([
      '12:9 /cases/0/expected_calls/0/parameters Each alternative has arguments of its own, so no call is compared with these. Delete these, or those of the alternative that they are for.',
    ]);
    expect(places(suite(''))).toEqual([]);
  });

  test('rejects a misspelled or malformed matcher', () => {
    const parameters = (text: string) =>
      `${head}cases:\n  - id: a\n    name: A\n    query: q\n    expected_calls:\n      - server: todo\n        tool: t\n        parameters:\n          x: ${text}\n`;
    expect(first(parameters('{ $regexp: a }'))).toMatchObject({
      line: 12,
      column: 16,
      path: '/cases/0/expected_calls/0/parameters/x/$regexp',
      message: expect.stringContaining("$regexp isn't a matcher"),
    });
    expect(first(parameters('[1, { $regex: "(" }]'))).toMatchObject({ line: 12, column: 20 });
    expect(first(parameters('{ deep: { $gte: two } }'))).toMatchObject({ line: 12, column: 24 });
    expect(validateSuiteText(parameters('{ $any: [1, { $regex: "^a" }] }'))).toEqual({
      valid: true,
      problems: [],
    });
    const schema = { type: 'object', properties: { x: {} }, required: ['x'] };
    expect(
      readSuiteFile(parameters('{ $absent: true }'), ({ tool }) => (tool === 't' ? schema : null))
        .problems[0],
    ).toMatchObject({ line: 12, message: expect.stringContaining('requires') });
    expect(readSuiteFile(parameters('{ $absent: true }')).problems).toEqual([]);
  });

  test('rejects a duplicate name in an object', () => {
    expect(first(`${head}cases: []\nname: t\n`)).toEqual({
      line: 5,
      column: 1,
      path: '',
      message: 'The object has "name" twice. Rename one.',
    });
    expect(first('{"version":1,"name":"a","servers":[],"cases":[],\n "name":"b"}')).toMatchObject({
      line: 2,
      column: 2,
      message: expect.stringContaining('twice'),
    });
    expect(first(jsonSuite('{"a":"\\"b\\":","a":2}'))).toMatchObject({
      line: 1,
      message: expect.stringContaining('twice'),
    });
    expect(parametersOf(jsonSuite('{"a\\"":"{\\"a\\": 1}","b\\\\" : "x"}'))).toEqual({
      x: { 'a"': '{"a": 1}', 'b\\': 'x' },
    });
  });

  test('T64: keeps __proto__ out of every object, in both notations', () => {
    expect(first(`${head}cases: []\n__proto__: { polluted: true }\n`)).toEqual({
      line: 5,
      column: 1,
      path: '/__proto__',
      message: 'The name "__proto__" isn’t allowed. Rename it.',
    });
    expect(first(jsonSuite('{"__proto__":{"polluted":true}}'))).toMatchObject({
      line: 1,
      column: valueColumn + 1,
      message: 'The name "__proto__" isn’t allowed. Rename it.',
    });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each(['[', '{"a":', '- ', '? ', '{a: ', '[[{x: '])(
    'T64: rejects %j nested 100,000 deep without exhausting the stack',
    (nest) => {
      const text = nest.repeat(100_000);
      expect(first(text)).toMatchObject({
        line: 1,
        column: expect.any(Number),
        message: expect.stringContaining('deeper than 100 levels'),
      });
    },
  );

  test('T64: rejects valid JSON that is nested too deep, and reads 90 levels', () => {
    const nested = (depth: number) => jsonSuite(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(first(nested(100_000))).toMatchObject({
      line: 1,
      column: expect.any(Number),
      message: expect.stringContaining('deeper'),
    });
    expect(validateSuiteText(nested(90)).valid).toBe(true);
  });

  test.each([
    ['truncated JSON', '{"version":1,\n"name":"s', 2, 10],
    ['truncated list', `${head}cases: [\n`, 5, 1],
    ['NaN in JSON', jsonSuite('NaN'), 1, valueColumn],
    ['undefined in JSON', jsonSuite('undefined'), 1, valueColumn],
    ['a number of 1,001 digits', jsonSuite('9'.repeat(1_001)), 1, valueColumn],
    ['NaN in YAML', `${head}cases: .nan\n`, 4, 8],
    ['infinity in YAML', `${head}cases: -.inf\n`, 4, 8],
    ['a lone surrogate', jsonSuite('"\\ud800"'), 1, valueColumn],
    ['a tab as indentation', 'version: 1\n\tname: s\n', 2, 1],
    ['an unknown tag', `${head}cases: !!set {a}\n`, 4, 8],
    ['a second document', `${head}cases: []\n---\nversion: 1\n`, 5, 1],
    ['an alias without anchor', `${head}cases: *nowhere\n`, 4, 8],
    ['a name that is not text', `${head}cases: []\n? [a]\n: b\n`, 5, 3],
    ['a wrong version', '{"version":"1","name":"s","servers":[],"cases":[]}', 1, 12],
  ])('T64: rejects %s and gives the place', (_what, text, line, column) => {
    const { valid, problems } = validateSuiteText(text);
    expect(valid).toBe(false);
    expect(problems[0]).toMatchObject({ line, column });
    expect(problems[0]?.message).not.toBe('');
  });

  test('T64: rejects a file above 64 MB before parsing', () => {
    const text = `{"version":1,"name":"${'ä'.repeat(maxSuiteFileBytes / 2)}"`;
    expect(validateSuiteText(text)).toEqual({
      valid: false,
      problems: [
        {
          line: 1,
          column: 1,
          path: '',
          message: 'The file is larger than 64 MB. Split it into several files.',
        },
      ],
    });
  });

  test('reads tasks between cases, and explains what is wrong in one by its shape', () => {
    const checks = 'checks: [{ answer: done }]';
    const text = (task: string) =>
      `${head}cases:\n  - { id: a, name: A, query: q, expected_calls: [] }\n  - ${task}\n`;
    const { file, problems } = readSuiteFile(text(`{ id: b, name: B, turns: [hello], ${checks} }`));
    expect(problems).toEqual([]);
    expect(file && tasksOfFile(file)).toEqual([
      { id: 'b', name: 'B', turns: ['hello'], checks: [{ answer: 'done' }] },
    ]);
    expect(places(text(`{ id: a, turns: [], limits: { steps: 0 }, ${checks} }`))).toEqual([
      '6:5 /cases/1/name "name" is required.',
      '6:11 /cases/1/id Case 1 already has the ID "a". Change one.',
      '6:21 /cases/1/turns Enter a value: it can’t be empty.',
      '6:42 /cases/1/limits/steps The value must be at least 1.',
    ]);
    const twice = 'checks: [{ answer: { $regex: "(" } }, { id: check-1, answer: done }]';
    expect(places(text(`{ id: b, name: B, turns: [hello], ${twice} }`))).toEqual([
      expect.stringContaining('/cases/1/checks/0/answer/$regex'),
      expect.stringContaining('/cases/1/checks/1/id The id "check-1" is not unique'),
    ]);
  });

  test('T64: reads aliases but rejects those that multiply or form a cycle', () => {
    const shared = `${head}cases:\n  - { id: a, name: A, query: q, expected_calls: &calls [{ server: t, tool: u }] }\n  - { id: b, name: B, query: q, expected_calls: *calls }\n`;
    expect(readSuiteFile(shared).file?.cases[1]).toMatchObject({
      expected_calls: [{ server: 't', tool: 'u' }],
    });
    expect(first(shared.replace('tool: u', 'tool: 5'))).toMatchObject({
      path: '/cases/0/expected_calls/0/tool',
      line: 5,
    });
    const bomb = `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`).join('\n')}\n`;
    expect(first(bomb)).toMatchObject({
      line: expect.any(Number),
      message: expect.stringContaining('Aliases repeat more than'),
    });
    expect(first('&a [*a, *a]')?.message).toMatch(/deeper than 100 levels/);
    expect(first('a: &a { b: *a }')?.message).toMatch(/deeper than 100 levels/);
  });

  test('T64: stops reading at 2,000,000 tokens', () => {
    expect(first(`[${'1,'.repeat(1_100_000)}`)?.message).toMatch(/more than 2,000,000 YAML tokens/);
  });

  test('lists at most 1,000 problems', () => {
    const text = `${head}cases: [${'1, '.repeat(5000)}]\n`;
    const { problems } = validateSuiteText(text);
    expect(problems).toHaveLength(1001);
    expect(problems[0]).toEqual({
      line: 4,
      column: 9,
      path: '/cases/0',
      message: 'The value must be an object.',
    });
    expect(problems.at(-1)?.message).toBe('Shows the first 1,000 problems.');
  });

  test('never throws, and gives a reason and a place for every text that it rejects', () => {
    const pieces = fc.constantFrom(
      'version: 1',
      'cases:',
      '- ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '&a ',
      '*a',
      '!!x ',
      '|',
      '>',
      '\n',
      '  ',
      '\t',
      '%YAML 1.1',
      '---',
      '...',
      '#',
      '\\',
      '\0',
      '\u2028',
      '<<: ',
      '? ',
      '1',
      '"a": ',
      ',',
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { valid, problems } = validateSuiteText(text);
        expect(valid).toBe(problems.length === 0);
        for (const { message, line, column } of problems)
          expect([message.length > 0, (line ?? 0) > 0, (column ?? 0) > 0]).toEqual([
            true,
            true,
            true,
          ]);
      }),
      draws(2_000),
    );
  });
});

test.each([
  '{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}',
  '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add"}]}}',
  '{"servers":[{"name":"todo","tools":[{"name":"add"}]}]}',
])('says of a list of tools what it is for, in one problem: %s', (text) => {
  expect(places(text)).toEqual([
    expect.stringMatching(/^1:1 {2}This is a list of tools.*asked for/u),
  ]);
});

test('explains a suite without cases as a suite, also with a list of tools in it', () => {
  expect(first(`${head}tools: []\ncases: x\n`)?.message).not.toContain('list of tools');
  expect(first('name: s\n')?.message).toBe('"version" is required.');
});
