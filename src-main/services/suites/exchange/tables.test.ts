import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../testing/nightly.ts';
import { read } from './readBack.fixture.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { guardCell, readCsv, unguardCell, writeCsv } from './csvText.ts';
import type { ReadOptions } from './caseExchange.ts';
import { exchangeFormats } from './formats.ts';

const options = (more: Partial<ReadOptions> = {}): ReadOptions => ({
  fileName: 'cases.csv',
  map: {},
  server: null,
  name: null,
  schemaOf: () => null,
  ...more,
});
const { csv, jsonl } = exchangeFormats;

/** Texts of the characters that tables trip over. */
const cell = fc.string({
  unit: fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    "'",
    '"',
    ',',
    ';',
    'a',
    ' ',
    'é',
    '🛒',
  ),
  maxLength: 8,
});

describe('a table of a spreadsheet', () => {
  const head = (separator: string) => ['prompt', 'expected_tool'].join(separator);
  test.each<[string, string, number]>([
    ['commas', `${head(',')}\nPing,ping\n`, 2],
    ['semicolons', `${head(';')}\nPing;ping\n`, 2],
    ['tabs', `${head('\t')}\nPing\tping\n`, 2],
    ['pipes', `${head('|')}\nPing|ping\n`, 2],
    ['a first line sep=;', `sep=;\r\n${head(';')}\r\nPing;ping\r\n`, 3],
    ['a first line sep=; and a byte order mark', `\ufeffsep=;\r\n${head(';')}\r\nPing;ping\r\n`, 3],
    ['a quoted first line', `"sep=;"\n${head(';')}\nPing;ping\n`, 3],
    ['separators behind the first line', `sep=;;\n${head(';')}\nPing;ping\n`, 3],
    ['a first line SEP with a tab', `SEP=\t\n${head('\t')}\nPing\tping\n`, 3],
    ['an unusual separator', `sep=^\n${head('^')}\nPing^ping\n`, 3],
    ['quoted names', `"prompt";"expected_tool"\n"Ping";"ping"\n`, 2],
    ['other separators in quoted names', `"prompt";"expected_tool";"a,b,c,d"\nPing;ping;1\n`, 2],
  ])('is read with %s', (_title, text, line) => {
    const { header, rows, problem } = readCsv(text);
    expect(problem).toBeNull();
    expect(header.slice(0, 2)).toEqual(['prompt', 'expected_tool']);
    expect(rows[0]?.cells.slice(0, 2)).toEqual(['Ping', 'ping']);
    expect([rows[0]?.line, rows[0]?.place(1).line]).toEqual([line, line]);
  });

  test('keeps decimal commas between semicolons', () => {
    const text = `${head(';')};parameters\nCosts 3,5 euros;pay;"{""amount"": 3.5}"\n`;
    const { suite } = csv.read(text, options({ server: 's' }));
    expect(suite?.cases).toMatchObject([
      { query: 'Costs 3,5 euros', expected_calls: [{ tool: 'pay', parameters: { amount: 3.5 } }] },
    ]);
  });

  test('says which columns it does not use', () => {
    const text = 'prompt,expected_tool,city,arg.days,arguments,\nW,get_weather,,3,{},\n';
    expect(csv.read(text, options()).columns).toMatchObject({
      names: ['prompt', 'expected_tool', 'city', 'arg.days', 'arguments', ''],
      mapped: { query: 'prompt', tool: 'expected_tool', parameters: 'arguments' },
      unused: ['city', 'arg.days'],
    });
    const mapped = csv.read(text, options({ map: { name: 'city' } }));
    expect(mapped.columns?.unused).toEqual(['arg.days']);
    const lines = '{"query":"x","tool":"t","price":"n"}\n{"query":"y","tool":"t"}\n';
    expect(jsonl.read(lines, options()).columns?.unused).toEqual(['price']);
  });

  test('says that it is empty under its first line', () => {
    expect(readCsv('sep=;\r\n').problem).toMatchObject({
      line: 2,
      message: expect.stringContaining('empty') as string,
    });
  });
});

describe('CSV and JSON lines', () => {
  test('writes and reads any cell unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 6 }),
        (rows) => {
          const table = readCsv(writeCsv([['one', 'two'], ...rows]));
          expect(table.problem).toBeNull();
          // Rows without a word are passed over.
          expect(table.rows.map(({ cells }) => cells)).toEqual(
            rows.filter((row) =>
              row.some((each) => each.trim() !== '' || guardCell(each).trim() !== ''),
            ),
          );
        },
      ),
      draws(500),
    );
  });

  test('guards every cell that a spreadsheet would read as a formula', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(guardCell(text)).not.toMatch(/^[=+\-@\t\r]/);
        expect(unguardCell(guardCell(text))).toBe(text);
      }),
    );
    expect(writeCsv([['=1+1', "'=1", '-5', "'tis"]])).toBe("'=1+1,''=1,'-5,'tis\r\n");
    expect(unguardCell("'=SUM(A1)")).toBe('=SUM(A1)');
    expect(unguardCell('=SUM(A1)')).toBe('=SUM(A1)');
  });

  test('recognizes the columns and follows a given map', () => {
    const text =
      'Prompt;Expected Tool;Args;Server;Labels\nAdd milk;add_task;"{""title"": ""milk""}";todo;a|b\nHello;;;;\n';
    const { suite, problems, report } = csv.read(text, options());
    expect(problems).toEqual([]);
    expect(suite).toEqual({
      version: 1,
      name: 'cases',
      servers: ['todo'],
      cases: [
        {
          id: 'add-milk',
          name: 'Add milk',
          query: 'Add milk',
          tags: ['a', 'b'],
          arguments_mode: 'exact',
          expected_calls: [{ server: 'todo', tool: 'add_task', parameters: { title: 'milk' } }],
        },
        { id: 'hello', name: 'Hello', query: 'Hello', expected_calls: [] },
      ],
    });
    expect(report).toMatchObject({ exact: 2, approximated: [], skipped: [], assumedServer: null });
    const mapped = csv.read(
      'a,b,query\nq1,todo:add,not this\n',
      options({ map: { query: 'a', tool: 'b' } }),
    );
    expect(mapped.suite?.cases).toEqual([
      { id: 'q1', name: 'q1', query: 'q1', expected_calls: [{ server: 'todo', tool: 'add' }] },
    ]);
    expect(
      csv.read('a,b\nq,t\n', options({ map: { query: 'a', tool: 'c' } })).problems,
    ).toMatchObject([
      { line: 1, message: expect.stringContaining('no column "c" for tool') as string },
    ]);
    expect(csv.read('a,b\nq,t\n', options()).problems).toMatchObject([
      {
        line: 1,
        message: expect.stringMatching(/Which column has the query.*"a", "b"/) as string,
      },
    ]);
  });

  test.each([
    [
      'a cell that is not JSON',
      'query,tool,parameters\n"two\nlines",t,{}\nq,t,{oops\n',
      4,
      5,
      'isn’t valid JSON',
    ],
    ['an unclosed quotation mark', 'query,tool\nq,t\nq,"t\n', 3, 1, 'isn’t closed'],
    ['more cells than columns', 'query,tool\nq,t,u\n', 2, 5, '3 cells'],
    ['a duplicate column', 'query,tool,tool\nq,t,t\n', 1, 12, 'Rename one'],
    [
      'a matcher that can never match',
      'query,tool,parameters\nq,t,{}\nq,t,"{""a"": {""$regexp"": ""x""}}"\n',
      3,
      1,
      '$regexp',
    ],
    ['parameters without a tool', 'query,tool,parameters\nq,,"{""a"": 1}"\n', 2, 4, 'no tool'],
    ['a table without cases', 'query,tool\n', 1, 1, 'contains no cases'],
  ])('rejects %s and gives the place', (_what, text, line, column, message) => {
    const { suite, problems } = csv.read(text, options());
    expect(suite).toBeNull();
    expect(problems).toMatchObject([
      { line, column, message: expect.stringContaining(message) as string },
    ]);
  });

  test('reports a JSON fault with line and column, and reads mapped field names', () => {
    expect(
      jsonl.read('{"query": "q", "tool": "t"}\n\n{"query": "q" "tool": 1}\n', options())
        .problems[0],
    ).toMatchObject({ line: 3, column: 15 });
    expect(jsonl.read('[1]\n', options()).problems).toMatchObject([
      { line: 1, column: 2, message: 'The record isn’t an object.' },
    ]);
    const { suite } = jsonl.read(
      '{"id": 7, "q": "ask", "t": ["a", "b"], "tags": ["x;y"]}\n{"q": "none", "t": null}\n',
      options({ map: { query: 'q', tool: 't' }, server: 's' }),
    );
    expect(suite?.cases).toEqual([
      {
        id: '7',
        name: 'ask',
        query: 'ask',
        tags: ['x;y'],
        expected_calls: [
          { server: 's', tool: 'a' },
          { server: 's', tool: 'b' },
        ],
      },
      { id: 'none', name: 'none', query: 'none', expected_calls: [] },
    ]);
  });

  test('gives colliding ids a suffix', () => {
    const { suite, report } = csv.read(
      'id,query,tool\na,1,t\na,2,t\na-2,3,t\n',
      options({ server: 's' }),
    );
    expect(suite?.cases.map(({ id }) => id)).toEqual(['a', 'a-2', 'a-2-2']);
    expect(report).toMatchObject({ exact: 1, approximated: [{ case: 'a-2' }, { case: 'a-2-2' }] });
  });
});

const word = fc
  .string({
    unit: fc.constantFrom(
      'a',
      'B',
      '7',
      '=',
      '-',
      "'",
      '"',
      ',',
      ';',
      '[',
      '{',
      ':',
      'ü',
      '🛒',
      '\n',
    ),
    minLength: 1,
    maxLength: 10,
  })
  .map((text) => `x${text}x`);
const guarded = word.map((text) => `=${text}`);
const name = fc.oneof(word, guarded);
const reference = fc.record({ server: name, tool: name });
const parameters = fc.dictionary(
  name,
  fc
    .jsonValue({ maxDepth: 2 })
    .filter(
      (value) =>
        !JSON.stringify(value).includes('"$') && !JSON.stringify(value).includes('__proto__'),
    ),
) as fc.Arbitrary<Record<string, JsonValue>>;
const call = fc.oneof(
  reference,
  fc.tuple(reference, parameters).map(([tool, given]) => ({ ...tool, parameters: given })),
  fc
    .tuple(fc.array(reference, { minLength: 1, maxLength: 2 }), parameters)
    .map(([tools, given]) => ({ any_of: tools, parameters: given })),
);
const suiteFile: fc.Arbitrary<CaseFile> = fc
  .uniqueArray(
    fc.tuple(
      name,
      name,
      name,
      fc.array(name, { maxLength: 3 }),
      fc.array(call, { maxLength: 3 }),
      fc.boolean(),
      fc.record(
        {
          note: word,
          system: word,
          messages: fc.constantFrom<NonNullable<SuiteFileCase['messages']>>(
            [{ role: 'user', content: 'a' }],
            [
              { role: 'user', content: 'a, "b"' },
              { role: 'assistant', content: 'c' },
            ],
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    { selector: ([id]) => id, minLength: 1, maxLength: 5 },
  )
  .map((cases) => ({
    version: 1,
    name: 'S',
    servers: ['todo', 'a;b'],
    cases: cases.map(([id, title, query, tags, calls, ordered, prompt]) => ({
      id,
      name: title,
      query,
      ...(tags.length > 0 && { tags }),
      expected_calls: calls,
      ...(ordered && { order_dependent: true }),
      ...prompt,
    })),
  }));

describe.each(['csv', 'jsonl'] as const)('%s', (format) => {
  test('reads its own export of any suite back unchanged', () => {
    fc.assert(
      fc.property(suiteFile, (suite) => {
        const { text, losses } = exchangeFormats[format].write(suite);
        expect(losses).toEqual([]);
        const { suite: back, problems } = exchangeFormats[format].read(
          text,
          options({ name: 'S' }),
        );
        expect(problems).toEqual([]);
        // What JSON itself can't keep (-0) is no fault of the table.
        expect(back).toEqual(JSON.parse(JSON.stringify(suite)));
      }),
      draws(200),
    );
  });

  test('gives each case what its suite says before a query, and reports it of a suite without cases', () => {
    const said = { system: 'Be brief.', messages: [{ role: 'user' as const, content: 'x' }] };
    const one = { id: 'a', name: 'a', query: 'b', expected_calls: [] };
    const suite: CaseFile = { version: 1, name: 'S', servers: [], ...said, cases: [one] };
    const { text, losses: none } = exchangeFormats[format].write(suite);
    expect(none).toEqual([]);
    expect(read(format, text).suite?.cases).toMatchObject([said]);
    const { losses } = exchangeFormats[format].write({
      version: 1,
      name: 'S',
      servers: [],
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'x' }],
      cases: [],
    });
    expect(losses.map(({ what }) => what)).toEqual([
      expect.stringContaining('system prompt'),
      expect.stringContaining('messages'),
    ]);
  });
});

test('reads goldens of DeepEval and samples of Inspect as JSON lines', () => {
  const goldens = [
    { input: 'Refund 7', expected_tools: [{ name: 'refund', input_parameters: { id: 7 } }] },
    { input: 'Hello', expected_tools: [] },
  ];
  const samples = [
    { id: 1, input: [{ role: 'user', content: 'Where is it?' }], target: 'track' },
    { id: 2, input: 'Find it', target: 'find' },
  ];
  const lines = (list: object[]) => list.map((each) => JSON.stringify(each)).join('\n');
  const calls = (list: object[], map: ReadOptions['map'] = {}) => {
    const { suite, problems } = read('jsonl', lines(list), { server: 'shop', map });
    expect(problems).toEqual([]);
    return suite?.cases.map(({ query, expected_calls }) => [query, expected_calls]);
  };
  expect(calls(goldens)).toEqual([
    ['Refund 7', [{ server: 'shop', tool: 'refund', parameters: { id: 7 } }]],
    ['Hello', []],
  ]);
  // The target of a sample may be the text of an answer, so a person says that it is a tool.
  expect(calls(samples, { tool: 'target' })).toEqual([
    ['Where is it?', [{ server: 'shop', tool: 'track' }]],
    ['Find it', [{ server: 'shop', tool: 'find' }]],
  ]);
});
