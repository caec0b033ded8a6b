import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { draws } from '../../../testing/nightly.ts';
import { read } from './readBack.fixture.ts';

const query = 'Where is PX-9?';
const track = { server: 's', tool: 'track' };
const find = { server: 's', tool: 'find' };

/** Reads one record in every notation that holds it, which must agree. */
function readRecord(record: JsonObject, options: Parameters<typeof read>[2] = {}) {
  const [first, ...others] = [
    `${JSON.stringify(record)}\n`,
    JSON.stringify([record], null, 2),
    JSON.stringify({ version: '2', testCases: [record] }),
    `scenarios:\n  - ${JSON.stringify(record)}\n`,
  ].map((text) => {
    const { suite, tasks, report, problems } = read('jsonl', text, { server: 's', ...options });
    return {
      cases: suite?.cases.map(({ expected_calls, order_dependent, allowed_calls }) => ({
        expected_calls,
        ...(order_dependent !== undefined && { order_dependent }),
        ...(allowed_calls !== undefined && { allowed_calls }),
      })),
      tasks: tasks.map(({ turns, checks }) => ({ turns, checks })),
      exact: report.exact,
      notes: report.approximated.map(({ what, why }) => `${what}: ${why}`),
      skipped: report.skipped.map(({ why }) => why),
      problems: problems.length,
    };
  });
  for (const other of others) expect(other).toEqual(first);
  if (first === undefined) throw new Error('Nothing was read.');
  return first;
}

describe('what records expect', () => {
  const args = { id: 'PX-9' };
  const one = [{ ...track, parameters: args }];
  test.each<[string, JsonObject, JsonValue]>([
    ['a name', { expected_tool: 'track' }, [track]],
    ['a name in any spelling', { 'Expected Tool': 'track' }, [track]],
    ['a name in camel case', { expectedTool: 'track' }, [track]],
    ['a name with dashes', { 'expected-tool': 'track' }, [track]],
    ['quotation marks around a name', { tool: '`track`' }, [track]],
    ['a name with arguments', { expected_tool: 'track', expected_args: args }, one],
    ['arguments as text', { tool: 'track', arguments: '{"id": "PX-9"}' }, one],
    ['a call as an object', { expect_tool: { name: 'track', arguments: args } }, one],
    ['a call with args', { expected_tools: [{ name: 'track', args }] }, one],
    ['a call with its tool', { expected_calls: [{ tool: 'track', arguments: args }] }, one],
    ['a call of our own', { expected_calls: [{ ...track, parameters: args }] }, one],
    [
      'a call with input_parameters',
      { expectedTools: [{ name: 'track', input_parameters: args }] },
      one,
    ],
    ['a call with toolName', { expected_tool_calls: [{ toolName: 'track', input: args }] }, one],
    [
      'a call of OpenAI',
      {
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'track', arguments: '{"id":"PX-9"}' } },
        ],
      },
      one,
    ],
    ['a call in an object', { expected: { tool: 'track', arguments: args } }, one],
    ['a named call in an object', { expected: { name: 'track', arguments: args } }, one],
    ['calls in an object', { expected: { tool_calls: [{ name: 'track', args }] } }, one],
    ['a call without arguments', { expected_tools: [{ name: 'track', arguments: null }] }, [track]],
    ['a list with one name', { expectedTools: ['track'] }, [track]],
    [
      'a server in the name',
      { expected_tools: [{ name: 'track', server: 'other' }] },
      [{ ...track, server: 'other' }],
    ],
    ['a choice', { expect_any_tool: ['track', 'find'] }, [{ any_of: [track, find] }]],
    ['a choice in words', { expected_tool: 'track or find' }, [{ any_of: [track, find] }]],
    [
      'further choices',
      { expected_tool: 'track', acceptable_tools: ['find', 'track'] },
      [{ any_of: [track, find] }],
    ],
    ['an empty list', { expected_tools: [] }, []],
    ['an empty list in an object', { expected: { tools: [], tool_calls: [] } }, []],
    ['a switch for no tool', { expect_no_tool: true }, []],
    ['a negative test', { negative: 'yes' }, []],
    ['a switch for a call', { should_call: false }, []],
    ['a switch for a call, with the tool', { tool: 'track', should_trigger: true }, [track]],
    ['a word for no tool', { expected_tool: 'none' }, []],
    ['another word for no tool', { expected_tool: 'N/A' }, []],
    ['a dash', { expected_tool: '—' }, []],
    ['a word in a list', { expected_tools: ['None'] }, []],
    ['a subset of arguments', { tool: 'track', args, args_match: 'subset' }, one],
    ['tools that are forbidden as well', { tool: 'track', forbidden_tools: ['find'] }, [track]],
    [
      'several calls of one tool',
      { calls: [{ name: 'track', args }, { name: 'track' }] },
      [...one, track],
    ],
    [
      'a text that looks like a matcher',
      { calls: [{ name: 'track', args: { id: { $any: [1] } } }] },
      [{ ...track, parameters: { id: { $eq: { $any: [1] } } } }],
    ],
    [
      'choices of a value',
      { tool: 'track', expected_args: { id: ['a', 'b'] }, args_match: 'any_of' },
      [{ ...track, parameters: { id: { $any: ['a', 'b'] } } }],
    ],
  ])('reads %s exactly', (_what, expectation, calls) => {
    expect(readRecord({ query, ...expectation })).toEqual({
      cases: [{ expected_calls: calls }],
      tasks: [],
      exact: 1,
      notes: [],
      skipped: [],
      problems: 0,
    });
  });

  test.each<[string, JsonObject, JsonValue, string]>([
    [
      'null for one tool',
      { expected_tool: null },
      [],
      'expected_tool: null is read as: no tool should be called.',
    ],
    ['an empty text for one tool', { tool: '' }, [], 'tool: An empty text is read as'],
    [
      'several names',
      { expected_tools: ['track', 'find'] },
      [track, find],
      'expected_tools: All of its tools are expected',
    ],
    [
      'a context',
      { tool: 'track', context: 'The last call failed.' },
      [track],
      'context: It is read as a message of the user before the query.',
    ],
    [
      'the text of an answer',
      { tool: 'track', expected_output: 'In Graz.' },
      [track],
      'expected_output: Not imported.',
    ],
    ['a target', { tool: 'track', target: 'find' }, [track], 'target: Not imported.'],
    [
      'what a run called',
      { expected_tools: ['track'], tools_called: ['find'] },
      [track],
      'tools_called: Not imported. It says what a run did',
    ],
    ['a weaker name', { expected_tool: 'track', tool: 'find' }, [track], 'tool: Not imported.'],
    [
      'a field of a call',
      { expected_tools: [{ name: 'track', result: 1 }] },
      [track],
      'expected_tools: result: Not imported.',
    ],
    [
      'any value',
      { tool: { name: 'track', args: { id: '*' } } },
      [{ ...track, parameters: { id: { $ignore: true } } }],
      'tool: *: It is read as any value, or none.',
    ],
    [
      'a pattern',
      { tool: 'track', args: { id: '/^PX-\\d+$/' } },
      [{ ...track, parameters: { id: { $regex: '^PX-\\d+$' } } }],
      'It is read as a pattern.',
    ],
    [
      'required tools',
      { expected_tool_calls: { required: ['track'] } },
      [track],
      'Other calls: The source may accept other calls.',
    ],
    [
      'an empty list of allowed tools',
      { expected_tool_calls: { allowed: [] } },
      [],
      'is read as: no tool should be called.',
    ],
  ])('names what it makes of %s', (_what, expectation, calls, note) => {
    const found = readRecord({ query, ...expectation });
    expect(found).toMatchObject({ cases: [{ expected_calls: calls }], exact: 0, skipped: [] });
    expect(found.notes.join('\n')).toContain(note);
  });

  test.each<[string, JsonObject, string]>([
    ['nothing about tools', { output: 'In Graz.' }, 'expected tool'],
    ['null for a list', { expected_tools: null }, 'doesn’t say which tool'],
    [
      'only the text of an answer',
      { expected_tools: null, reference: 'x' },
      '1 field of it isn’t read: "reference"',
    ],
    ['a number', { expected_tool: 7 }, 'expected_tool: 7 isn’t a tool'],
    ['true', { tool: true }, 'isn’t a tool'],
    ['an empty object', { tool: {} }, 'names no tool'],
    ['an object without a name', { expected_tool: { arguments: {} } }, 'names no tool'],
    ['null in a list', { expected_tools: [null] }, 'isn’t a tool'],
    ['a word for none among names', { expected_tools: ['track', 'none'] }, 'isn’t a tool'],
    ['a list in a list', { expected_tools: [['track', 'a'], ['b']] }, 'It is a list of lists'],
    ['a sentence', { expected_tool: 'It should look it up.' }, 'isn’t the name of a tool'],
    ['a call that needs code', { expected_tool: 'track(id=last)' }, 'isn’t the name of a tool'],
    ['a separator alone', { expected_tool: '&' }, 'isn’t the name of a tool'],
    ['a separator without a name', { expected_tools: { '': ';' } }, 'names no tool'],
    ['a word without a name', { expected_tools: { ' ': '-' } }, 'names no tool'],
    ['a map of a leaderboard', { expected_calls: [{ track: { id: ['PX-9'] } }] }, 'names no tool'],
    [
      'definitions of tools',
      {
        function: [
          {
            name: 'track',
            description: 'x',
            parameters: { type: 'object', properties: { id: {} } },
          },
        ],
      },
      'definition of a tool',
    ],
    [
      'arguments that are no object',
      { expected_tools: [{ name: 'track', args: 'PX-9' }] },
      'aren’t an object',
    ],
    ['a list of arguments', { tool: 'track', arguments: ['PX-9'] }, 'must be a JSON object'],
    [
      'arguments of several tools',
      { expected_tools: ['track', 'find'], arguments: { id: 1 } },
      'for several tools',
    ],
    ['arguments without a tool', { tool: null, arguments: { id: 1 } }, 'no tool'],
    [
      'arguments of alternatives',
      { expected_tool: 'track', acceptable_tools: ['find'], args: { id: 1 } },
      'alternatives',
    ],
    [
      'a way to compare that is unknown',
      { tool: 'track', args: { id: 1 }, args_match: 'fuzzy' },
      'a known way',
    ],
    [
      'a tool and no tool',
      { expected_tool: 'track', expect_no_tool: true },
      'says that no tool should be called',
    ],
    ['a call without a name', { should_call: true }, 'not which one'],
    [
      'a switch that is no switch',
      { tool: 'track', should_trigger: 'maybe' },
      'must be true or false',
    ],
    ['switches that differ', { should_call: true, no_tool: true }, 'contradict'],
    ['no tool denied', { expect_no_tool: false }, 'doesn’t say which tool'],
    [
      'a tool that is forbidden',
      { tool: 'track', forbidden_tools: ['track'] },
      'expects and forbids',
    ],
    [
      'two lists that both count',
      { expected_tool: 'track', expected_tools: ['find'] },
      'Both expected_tool and expected_tools',
    ],
    ['messages of nobody', { tool: 'track', history: [{ who: 'x' }] }, 'isn’t a list of messages'],
    ['several ways to list', { expected_tool: 'track, find or other' }, 'mixes'],
    ['broken JSON', { expected_tool: '["track"' }, 'isn’t valid JSON'],
  ])('refuses a record with %s', (_what, expectation, why) => {
    const { cases, tasks, skipped, problems } = readRecord({ query, ...expectation });
    expect({ cases, tasks, problems }).toEqual({ cases: undefined, tasks: [], problems: 1 });
    const text = JSON.stringify({ query, ...expectation });
    const message = read('jsonl', text, { server: 's' }).problems[0]?.message ?? '';
    expect([...skipped, message].join('\n')).toContain(why);
  });

  test('refuses only the record that can’t be read, with its line', () => {
    const good = { query, expected_tool: 'track' };
    const bad = { id: 'b', query, expected_tool: {} };
    const { suite, report } = read(
      'jsonl',
      [good, bad].map((each) => JSON.stringify(each)).join('\n'),
    );
    expect(suite?.cases).toHaveLength(1);
    expect(report).toMatchObject({ exact: 1, skipped: [{ case: 'line 2 (b)' }] });
    const list = read('jsonl', JSON.stringify([good, bad], null, 1));
    expect(list.report.skipped).toMatchObject([{ case: 'record 2, line 6 (b)' }]);
    const table = read('csv', 'id,prompt,expected_tool\na,x,track\nb,y,"{}"\n');
    expect(table.report.skipped).toMatchObject([{ case: 'row in line 3 (b)' }]);
    const alone = read('csv', 'id,prompt,expected_tool\nb,y,"{}"\n');
    expect(alone.problems).toMatchObject([{ line: 2, column: 5 }]);
  });

  test('makes a task of a record that only says what must not be called', () => {
    const expectations: JsonObject[] = [
      { tool: 'track', should_trigger: false },
      { tool: 'track', should_call: 'no' },
      { forbidden_tools: ['track'] },
      { tool: { name: 'track', arguments: {} }, should_call: 0 },
    ];
    for (const expectation of expectations) {
      const { cases, tasks, notes } = readRecord({ query, ...expectation });
      expect(cases).toEqual([]);
      expect(tasks).toEqual([{ turns: [query], checks: [{ calls: { never: ['track'] } }] }]);
      expect(notes.join('\n')).toContain('must not be called');
    }
  });

  test('reads orders and allowed tools', () => {
    const ordered = { cases: [{ expected_calls: [track, find], order_dependent: true }] };
    expect(
      readRecord({ query, expected_tools: ['track', 'find'], orderMatters: true }),
    ).toMatchObject(ordered);
    expect(readRecord({ query, expected_tool: 'track → find' })).toMatchObject({
      ...ordered,
      exact: 1,
    });
    expect(readRecord({ query, outputs: { trajectory: ['track', 'find'] } })).toMatchObject(
      ordered,
    );
    expect(readRecord({ query, tool: 'track', allowed_tools: ['find'] })).toMatchObject({
      cases: [{ expected_calls: [track], allowed_calls: [find] }],
      exact: 1,
    });
  });

  test.each<['promptfoo' | 'mcpjam' | 'bfcl' | 'tau-bench', JsonValue, string]>([
    [
      'promptfoo',
      [
        {
          vars: { q: query },
          threshold: 0.5,
          assert: [{ type: 'tool-call-f1', value: ['track'] }],
        },
      ],
      'threshold',
    ],
    ['mcpjam', [{ title: 'a', query, expectedToolCalls: ['track'], intent: 'x' }], 'intent'],
    ['bfcl', { id: 'a', question: query, ground_truth: [{ track: {} }], comment: 'x' }, 'comment'],
    [
      'tau-bench',
      [{ instruction: query, actions: [{ name: 'track' }], annotations: ['x'] }],
      'annotations',
    ],
  ])('names the fields of %s that it doesn’t read', (format, cases, field) => {
    const { report, problems } = read(format, JSON.stringify(cases), { server: 's' });
    expect(problems).toEqual([]);
    expect(report.exact).toBe(0);
    expect(report.approximated.map(({ what }) => what)).toContain(field);
  });

  test.each<['promptfoo' | 'mcpjam' | 'tau-bench', JsonValue]>([
    [
      'promptfoo',
      [{ vars: { q: query }, assert: [{ type: 'tool-call-f1', value: [{ name: 'track' }] }] }],
    ],
    [
      'promptfoo',
      [{ vars: { q: query }, assert: [{ type: 'trajectory:tool-used', value: ['track', 7] }] }],
    ],
    ['mcpjam', [{ title: 'a', query, expectedToolCalls: [null] }]],
    ['tau-bench', [{ instruction: query, actions: [{ name: 'track' }, { tool: 'find' }] }]],
  ])('refuses an expectation of %s that it can’t read', (format, cases) => {
    const { suite, report } = read(format, JSON.stringify(cases), { server: 's' });
    expect(suite).toBeNull();
    expect(report.skipped).toHaveLength(1);
  });

  test('takes a word for a tool if the server has a tool of that name', () => {
    const options = { schemaOf: ({ tool }: { tool: string }) => (tool === 'none' ? {} : null) };
    expect(readRecord({ query, expected_tool: 'none' }, options)).toMatchObject({
      cases: [{ expected_calls: [{ server: 's', tool: 'none' }] }],
      exact: 1,
    });
  });

  test('finds the server in the name of a tool', () => {
    const { suite } = read(
      'jsonl',
      '{"query": "q", "tools": 1, "expected_tools": ["a:x", "mcp__b__y"]}',
    );
    expect(suite?.cases[0]?.expected_calls).toEqual([
      { server: 'a', tool: 'x' },
      { server: 'b', tool: 'y' },
    ]);
  });

  test('takes columns that never say yes for no tools that nobody knows', () => {
    const record = { query, expected_tools: { findBook: false, reserveBook: false } };
    expect(read('jsonl', JSON.stringify(record), { server: 's' }).suite).toBeNull();
    const yes = { query: 'a', expected_tools: { findBook: true, reserveBook: false } };
    const { suite } = read('jsonl', [record, yes].map((each) => JSON.stringify(each)).join('\n'), {
      server: 's',
    });
    expect(suite?.cases.map(({ expected_calls }) => expected_calls.length)).toEqual([0, 1]);
  });

  test('never makes a case for no tool from a value that says nothing', () => {
    const value = fc.jsonValue({ maxDepth: 2 }).filter((each) => JSON.stringify(each) !== '[]');
    fc.assert(
      fc.property(
        fc.constantFrom('expected_tools', 'expectedCalls', 'tool_calls', 'expected'),
        value,
        (name, given) => {
          const text = JSON.stringify({ query, [name]: given });
          const { suite, report } = read('jsonl', text, { server: 's' });
          const isWord = /^\["|^"/.test(JSON.stringify(given));
          const isSaid = JSON.stringify(given).includes('[]');
          const none = suite?.cases.some(({ expected_calls }) => expected_calls.length === 0);
          if (!isWord && !isSaid) expect(none ?? false).toBe(false);
          expect(report.exact).toBeLessThanOrEqual(suite?.cases.length ?? 0);
        },
      ),
      draws(1_000),
    );
  });
});

describe('tables', () => {
  test('names every column that isn’t read, in the rows that use it', () => {
    const { report } = read(
      'csv',
      'prompt,expected_tool,arg.city,acceptable_tools,price\nW,get,Paris,other,\nV,get,,,x\nU,,,,\n',
    );
    expect(report).toMatchObject({
      exact: 1,
      approximated: [
        { case: 'w', what: 'arg.city' },
        { case: 'v', what: 'price' },
      ],
    });
  });

  test('reads an empty cell as no tool only in the column of the tool', () => {
    const { suite, report } = read(
      'csv',
      'prompt,expected_tool,should_trigger\nA,,\nB,track,no\nC,,yes\nD,none,\nE,"[""track""]",\n',
      { server: 's' },
    );
    expect(suite?.cases.map(({ query: asked, expected_calls }) => [asked, expected_calls])).toEqual(
      [
        ['A', []],
        ['D', []],
        ['E', [track]],
      ],
    );
    expect(report.skipped).toMatchObject([{ case: 'row in line 4' }]);
    const listed = read('csv', 'prompt,acceptable_tools\nA,\nB,track; find\n', { server: 's' });
    expect(listed.suite?.cases.map(({ expected_calls }) => expected_calls)).toEqual([
      [{ any_of: [track, find] }],
    ]);
    expect(listed.report.skipped).toHaveLength(1);
  });
});

describe('files', () => {
  test('names the fields of a file outside its records, and takes its server', () => {
    const { suite, report } = read(
      'jsonl',
      JSON.stringify({
        name: 'parcels',
        defaults: { server: 'parcel' },
        retries: 3,
        cases: [{ prompt: 'a', tool: 'b' }],
      }),
    );
    expect(suite).toMatchObject({
      name: 'parcels',
      cases: [{ expected_calls: [{ server: 'parcel', tool: 'b' }] }],
    });
    expect(report.unreadFields).toEqual(['retries']);
  });

  test.each([
    ['several lists', '{"a": [{"query": "x"}], "b": [{"query": "y"}]}', '"a", "b"'],
    ['no list', '{"count": 3,\n "z": 1}', 'an object with "count", "z"'],
    ['a text', '<a>\n</a>', 'no list of records'],
    ['a program', 'export const cases = [\n  { query: "x", tool: y() },\n];\n', ''],
    ['names alone', '["track"]', 'The record isn’t an object.'],
    ['records without tools', '[{"query": "x"}]', 'nothing says which tool is expected'],
    [
      'conversations without a user',
      '[{"messages": [{"role": "assistant", "content": "b"}], "tool": "x"}]',
      'Which column has the query?',
    ],
    ['nothing', '', 'contains no cases'],
  ])('refuses %s and says what it found', (_what, text, message) => {
    const { suite, problems } = read('jsonl', text);
    expect(suite).toBeNull();
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.line).toBeGreaterThan(0);
  });
});
