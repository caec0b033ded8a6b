import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { safeFileName } from '../files/safeFileName.ts';
import { defaultTaskLimits } from '../../../src-shared/domain/task.ts';
import { draws } from '../../testing/nightly.ts';
import { readSuiteFile } from './suiteFile.ts';
import { fromSuiteFile, toSuiteFile, writeSuiteText, type SuiteContent } from './suiteFileCodec.ts';
import { suiteSchemaText } from './suiteSchema.ts';

/** Words that a YAML reader may take for something else, and characters that a writer may lose. */
const nasty = [
  'no',
  'Yes',
  'on',
  'null',
  '~',
  '',
  ' ',
  '1.0',
  '1e3',
  '0x1f',
  '0o17',
  '2024-01-01',
  '12:30:45',
  '.nan',
  '-',
  '- a',
  'a: b',
  'a #b',
  '#',
  '&a',
  '*a',
  '!t',
  '|',
  '>',
  '%',
  '@',
  '`',
  '"',
  "'",
  '{}',
  '[]',
  'a\nb',
  'a\n',
  '\na',
  ' a',
  'a ',
  'a\r\nb',
  'a\tb',
  '\t',
  'x'.repeat(300),
  `${'word '.repeat(60)}end`,
  '\0',
  '\u0085',
  '\u2028',
  '\ufeff',
  '😀',
  '---',
  '...',
  '<<',
  '=',
  '1_000',
  '+1',
  'key: |\n  x\n',
  '  indented\nless',
];
const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' }));
const word = text.filter((each) => each.length > 0);
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((each) => each + 0);
const literal: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    record(tie('value')),
  ),
})).value;
function record(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  const name = text.filter((each) => !each.startsWith('$') && each !== '__proto__');
  return fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });
}
const parameters = fc
  .option(record(literal), { nil: undefined })
  .map((value) => (value === undefined ? {} : { parameters: value }));
const tool = fc.record({ server: word, tool: word });
const call = fc
  .tuple(
    fc.oneof(
      tool,
      fc.record({
        anyOf: fc.array(
          fc.tuple(tool, parameters).map(([one, own]) => ({ ...one, ...own })),
          { minLength: 1, maxLength: 2 },
        ),
      }),
    ),
    parameters,
  )
  // Where each alternative has its own arguments, there are none for all.
  .map(([target, more]) =>
    'anyOf' in target && target.anyOf.every((each) => 'parameters' in each)
      ? target
      : { ...target, ...more },
  );
const few = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 2 });
const task: fc.Arbitrary<SuiteContent['tasks'][number]> = fc.record({
  // A task and a case of one suite never have the same key.
  key: word.map((key) => `task ${key}`),
  content: fc.record({
    name: word,
    turns: fc.array(word, { minLength: 1, maxLength: 2 }),
    tags: few(word),
    servers: few(word),
    setup: few(fc.record({ server: word, tool: word, arguments: fc.constant({ a: 1 }) })),
    checks: fc.constant([{ id: 'said', kind: 'answer' as const, expected: { $contains: 'x' } }]),
    limits: fc.constant({ ...defaultTaskLimits, steps: 3 }),
    stubs: few(fc.record({ server: word, tool: word, result: literal, isError: fc.boolean() })),
    injection: fc.constant(null),
  }),
});
const suite: fc.Arbitrary<SuiteContent> = fc.record({
  name: word,
  system: fc.option(text),
  messages: few(fc.record({ role: fc.constantFrom('user', 'assistant'), content: text })),
  servers: few(word),
  cases: fc.uniqueArray(
    fc.record({
      key: word,
      name: word,
      query: word,
      tags: few(word),
      servers: few(word),
      expectedCalls: few(call),
      orderDependent: fc.boolean(),
      allowedCalls: few(tool),
      stubResults: few(fc.record({ server: text, tool: text, result: literal })),
    }),
    { selector: ({ key }) => key, maxLength: 3 },
  ),
  tasks: fc.uniqueArray(task, { selector: ({ key }) => key, maxLength: 2 }),
});

describe('suite → file → text → file → suite', () => {
  test.each(['yaml', 'json'] as const)('keeps every suite unchanged as %s', (format) => {
    fc.assert(
      fc.property(suite, (content) => {
        const file = toSuiteFile(content);
        const written = writeSuiteText(file, format);
        const { file: read, problems } = readSuiteFile(written);
        expect(problems).toEqual([]);
        expect(read).toEqual(file);
        expect(read && fromSuiteFile(read)).toEqual(content);
        expect(read && writeSuiteText(read, format)).toBe(written);
      }),
      draws(500),
    );
  });

  test('leaves out arguments for all where each alternative has its own, which nothing reads', () => {
    const anyOf = ['add', 'find'].map((tool) => ({ server: 's', tool, parameters: { a: tool } }));
    const expectedCalls = [{ anyOf, parameters: { b: 1 } }];
    const each = { key: 'a', name: 'a', query: 'q', tags: [], servers: [], stubResults: [] };
    const file = toSuiteFile({
      ...{ name: 's', system: null, messages: [], servers: [], tasks: [] },
      cases: [{ ...each, expectedCalls, orderDependent: false, allowedCalls: [] }],
    });
    expect(file.cases[0]).toMatchObject({ expected_calls: [{ any_of: anyOf }] });
    expect(readSuiteFile(writeSuiteText(file, 'json')).problems).toEqual([]);
  });

  test('writes YAML that is easy to read in a diff', () => {
    const shared = { server: 'todo', tool: 'add_task' };
    const content: SuiteContent = {
      name: 'Todo',
      system: null,
      messages: [],
      servers: ['todo'],
      cases: [
        {
          key: 'a',
          name: 'no',
          query: `first line\nsecond line, ${'long '.repeat(30)}end`,
          tags: ['1.0', '2024-01-01'],
          servers: [],
          expectedCalls: [shared, shared],
          orderDependent: false,
          allowedCalls: [],
          stubResults: [],
        },
      ],
      tasks: [],
    };
    expect(writeSuiteText(toSuiteFile(content), 'yaml')).toBe(`version: 1
name: Todo
servers:
  - todo
cases:
  - id: a
    name: "no"
    query: |-
      first line
      second line, ${'long '.repeat(30)}end
    tags:
      - "1.0"
      - "2024-01-01"
    expected_calls:
      - server: todo
        tool: add_task
      - server: todo
        tool: add_task
`);
  });

  test('T63: makes safe file names from suite names', () => {
    expect(
      [
        '../../x',
        'con',
        'a/b\\c:d*?"<>|',
        '',
        '...',
        'Über uns',
        '日本語 x',
        'A'.repeat(300),
        '\0',
      ].map((name) => safeFileName(name, '.suite.yaml')),
    ).toEqual([
      'x.suite.yaml',
      'suite-con.suite.yaml',
      'a-b-c-d.suite.yaml',
      'suite.suite.yaml',
      'suite.suite.yaml',
      'über-uns.suite.yaml',
      '日本語-x.suite.yaml',
      `${'a'.repeat(60)}.suite.yaml`,
      'suite.suite.yaml',
    ]);
  });
});

describe('datasets/suite.schema.json', () => {
  const published = readFileSync(
    new URL('../../../datasets/suite.schema.json', import.meta.url),
    'utf8',
  );

  test('equals the schema in the code (update: scripts/writeSuiteSchema.ts)', () => {
    expect(published).toBe(suiteSchemaText());
  });

  test('accepts what the program writes and rejects what it refuses', () => {
    const validate = new Ajv2020().compile(JSON.parse(published) as object);
    fc.assert(
      fc.property(suite, (content) => validate(toSuiteFile(content))),
      draws(200),
    );
    const good = {
      version: 1,
      name: 's',
      servers: [],
      cases: [{ id: 'a', name: 'A', query: 'q', expected_calls: [{ server: 't', tool: 'u' }] }],
    };
    expect(validate(good)).toBe(true);
    const [only] = good.cases;
    for (const bad of [
      { ...good, version: 2 },
      { ...good, colour: 'red' },
      { ...good, name: '' },
      { ...good, cases: [{ ...only, id: undefined }] },
      { ...good, cases: [{ ...only, expected_calls: [{ server: 't' }] }] },
      { ...good, cases: [{ ...only, expected_calls: [{ any_of: [] }] }] },
    ]) {
      const document: unknown = JSON.parse(JSON.stringify(bad));
      expect(validate(document), JSON.stringify(bad)).toBe(false);
      expect(readSuiteFile(JSON.stringify(bad)).file).toBeNull();
    }
  });
});
