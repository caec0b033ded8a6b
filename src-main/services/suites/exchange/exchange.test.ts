import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxSuiteFileBytes } from '../../../../src-shared/contract/suites.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { ReadOptions } from './caseExchange.ts';
import { exchangeFormats } from './formats.ts';

const read = (format: ForeignFormat, text: string, options: Partial<ReadOptions> = {}) =>
  exchangeFormats[format].read(text, {
    fileName: 'orders.txt',
    map: {},
    server: null,
    name: null,
    schemaOf: () => null,
    ...options,
  });

/** What is written of it, read again: the same suite where the format can hold it. */
function again(format: ForeignFormat, text: string, options: Partial<ReadOptions> = {}) {
  const first = read(format, text, options);
  expect(first.problems).toEqual([]);
  if (first.suite === null) throw new Error('There is no suite.');
  const written = exchangeFormats[format].write(first.suite);
  const second = read(format, written.text, {
    ...options,
    map: {},
    fileName: `orders${exchangeFormats[format].extension}`,
    name: first.suite.name,
  });
  expect(second.problems).toEqual([]);
  return { first, second, losses: written.losses };
}

const promptfooConfig = `# what the shop's assistant must call
description: Shop
prompts:
  - 'Customer {{ customer }} says: {{query}}'
providers:
  - id: openai:responses:any
    config: { mcp: { server: { name: shop, url: 'http://127.0.0.1:1/mcp' } } }
defaultTest:
  vars: { customer: Ada }
  assert: [{ type: is-valid-openai-tools-call }]
tests:
  - description: one tool by name
    vars: { query: Where is my parcel? }
    assert: [{ type: tool-call-f1, value: [track_order] }]
  - description: a list in a text, and a threshold
    vars: { query: Search and compare }
    assert: [{ type: tool-call-f1, value: 'search, compare', threshold: 0.8 }]
  - description: an exact sequence with arguments
    vars: { query: Refund order 7 }
    assert:
      - type: trajectory:tool-sequence
        value: { mode: exact, steps: [find_order, { name: refund }] }
      - type: trajectory:tool-args-match
        value: { name: refund, args: { id: 7, reason: Late, trace: x }, ignore: trace }
  - description: in order, others between
    vars: { query: Find and pay }
    assert: [{ type: trajectory:tool-sequence, value: [find_order, pay] }]
  - description: twice
    vars: { query: Two refunds }
    assert: [{ type: trajectory:tool-used, value: { name: refund, min: 2, max: 3 } }]
  - description: no tool at all
    vars: { query: Hello }
    assert: [{ type: trajectory:tool-used, value: { pattern: '*', min: 0, max: 0 } }]
  - description: a program
    vars: { query: x }
    assert: [{ type: javascript, value: 'output.length > 1' }]
  - description: judged by a model
    vars: { query: x }
    assert: [{ type: llm-rubric, value: is polite }]
  - description: a tool and a text
    vars: { query: Track it }
    assert: [{ type: trajectory:tool-used, value: track_order }, { type: contains, value: parcel }]
  - description: several queries
    vars: { query: [Where is it?, When does it come?] }
    assert: [{ type: tool-call-f1, value: [track_order] }]
  - file://more.yaml
`;

describe('promptfoo', () => {
  test('reads assertions as expected calls and reports what is approximated or skipped', () => {
    const { suite, problems, report } = read('promptfoo', promptfooConfig);
    expect(problems).toEqual([]);
    expect(suite).toMatchObject({ name: 'Shop', servers: ['shop'] });
    expect(suite?.cases.map(({ name, expected_calls }) => [name, expected_calls])).toEqual([
      ['one tool by name', [{ server: 'shop', tool: 'track_order' }]],
      [
        'a list in a text, and a threshold',
        [
          { server: 'shop', tool: 'search' },
          { server: 'shop', tool: 'compare' },
        ],
      ],
      [
        'an exact sequence with arguments',
        [
          { server: 'shop', tool: 'find_order' },
          {
            server: 'shop',
            tool: 'refund',
            parameters: { id: 7, reason: { $exact: 'Late' }, trace: { $ignore: true } },
          },
        ],
      ],
      [
        'in order, others between',
        [
          { server: 'shop', tool: 'find_order' },
          { server: 'shop', tool: 'pay' },
        ],
      ],
      [
        'twice',
        [
          { server: 'shop', tool: 'refund' },
          { server: 'shop', tool: 'refund' },
        ],
      ],
      ['no tool at all', []],
      ['a tool and a text', [{ server: 'shop', tool: 'track_order' }]],
      ['several queries', [{ server: 'shop', tool: 'track_order' }]],
      ['several queries', [{ server: 'shop', tool: 'track_order' }]],
    ]);
    expect(suite?.cases[0]?.query).toBe('Customer Ada says: Where is my parcel?');
    expect(suite?.cases.map(({ order_dependent }) => order_dependent ?? false)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(report).toMatchObject({
      converter: 'promptfoo/1',
      sourceHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      exact: 5,
      assumedServer: null,
    });
    expect([...new Set(report.approximated.map((each) => each.case))]).toEqual([
      'a-list-in-a-text-and-a-threshold',
      'in-order-others-between',
      'twice',
      'a-tool-and-a-text',
    ]);
    expect(report.approximated.map(({ why }) => why).join(' ')).toMatch(
      /threshold of 0\.8.*Up to 3 calls.*text of the answer/,
    );
    expect(report.skipped).toEqual([
      { case: 'tests[6] a program', why: 'javascript: It is a program. Programs are never run.' },
      {
        case: 'tests[7] judged by a model',
        why: expect.stringMatching(/^llm-rubric: It judges the text/) as string,
      },
      { case: 'tests[10]', why: 'It refers to file://more.yaml. Other files are not opened.' },
    ]);
  });

  test('runs no program from an assertion, a prompt or a variable', async () => {
    await using folder = await temporaryFolder();
    const marker = join(folder.path, 'ran');
    const code = `require('fs').writeFileSync(${JSON.stringify(marker)}, 'x')`;
    const script = join(folder.path, 'check.cjs');
    const text = JSON.stringify({
      prompts: ['{{query}}', `file://${script}`],
      tests: [
        {
          vars: { query: `{{ range.constructor(${JSON.stringify(code)})() }}` },
          assert: [
            { type: 'javascript', value: code },
            { type: 'not-javascript', value: code },
            { type: 'python', value: `open(${JSON.stringify(marker)}, 'w')` },
            { type: 'tool-call-f1', value: ['a'] },
          ],
        },
        {
          vars: { query: `file://${script}` },
          assert: [
            { type: 'equals', value: `file://${script}` },
            { type: 'javascript', value: `file://${script}` },
          ],
        },
      ],
    });
    const { report, suite } = read('promptfoo', text);
    expect(suite?.cases).toHaveLength(1);
    expect(report.approximated.map(({ what }) => what)).toEqual([
      'javascript',
      'not-javascript',
      'python',
    ]);
    expect(report.skipped).toEqual([
      { case: 'tests[1]', why: expect.stringContaining('never run') as string },
    ]);
    read(
      'promptfoo',
      `query,__expected\nx,javascript:${code.replaceAll(',', ';')}\ny,file://${script}\n`,
    );
    expect(existsSync(marker)).toBe(false);
  });

  test('reads the expectations of a CSV table', () => {
    const text =
      'query,__expected,__expected2,__description,__metadata:tags[]\nFind it,"tool-call-f1(0.9):find,open",,Finding,"a,b"\nHi,javascript:1+1,,,\nGo,trajectory:tool-used:go,contains:x,,\n';
    const { suite, report, problems } = read('promptfoo', text, {
      fileName: 'tests.csv',
      server: 's',
    });
    expect(problems).toEqual([]);
    expect(suite?.cases).toEqual([
      {
        id: 'finding',
        name: 'Finding',
        query: 'Find it',
        tags: ['a', 'b'],
        expected_calls: [
          { server: 's', tool: 'find' },
          { server: 's', tool: 'open' },
        ],
      },
      { id: 'go', name: 'Go', query: 'Go', expected_calls: [{ server: 's', tool: 'go' }] },
    ]);
    expect(report).toMatchObject({
      exact: 0,
      skipped: [{ case: 'row in line 3', why: expect.stringContaining('never run') as string }],
    });
  });

  test('reads its own export back as the same suite', () => {
    const { first, second, losses } = again('promptfoo', promptfooConfig);
    expect(losses).toEqual([]);
    expect(second.suite).toEqual(first.suite);
    expect(second.report).toMatchObject({ exact: 9, skipped: [] });
  });
});

const mcpjamFile = {
  schemaVersion: '1',
  mode: 'agentWorkflow',
  reportingMode: 'standard',
  suite: { id: 's_shop', name: 'Shop' },
  target: { servers: [{ name: 'shop' }] },
  defaults: {
    model: 'any/model',
    systemPrompt: 'Be brief.',
    repetitions: 1,
    passThreshold: 0.8,
    validity: {},
  },
  cases: [
    {
      id: 'c_closed',
      title: 'Refund',
      steps: [{ id: '1', kind: 'prompt', prompt: 'Refund order 7' }],
      checks: [
        {
          type: 'toolCalledWith',
          toolName: 'refund',
          args: { args: { id: 7, reason: 'Late', note: 'any' } },
        },
        { type: 'onlyToolsCalled', toolNames: ['refund'] },
      ],
    },
    {
      id: 'c_open',
      title: 'Track',
      steps: [
        { id: '1', kind: 'prompt', prompt: 'Where is it?' },
        {
          id: '2',
          kind: 'assert',
          assertion: { type: 'toolCalledAtLeastOnce', toolName: 'track' },
        },
      ],
      assertions: [{ type: 'responseContains', needle: 'parcel' }],
    },
    {
      id: 'c_none',
      title: 'Hello',
      steps: [{ id: '1', kind: 'prompt', prompt: 'Hello' }],
      isNegativeTest: true,
    },
    {
      id: 'c_turns',
      title: 'Two turns',
      steps: [
        { id: '1', kind: 'prompt', prompt: 'A' },
        { id: '2', kind: 'prompt', prompt: 'B' },
      ],
      isNegativeTest: true,
    },
    {
      id: 'c_direct',
      title: 'Without a model',
      steps: [{ id: '1', kind: 'toolCall', serverName: 'shop', toolName: 'track', arguments: {} }],
    },
    {
      id: 'c_never',
      title: 'Never',
      steps: [{ id: '1', kind: 'prompt', prompt: 'Wait' }],
      checks: [{ type: 'toolNeverCalled', toolName: 'refund' }],
    },
  ],
};

describe('MCPJam', () => {
  test('reads checks as expected calls and reports what is approximated or skipped', () => {
    const { suite, report, problems } = read('mcpjam', JSON.stringify(mcpjamFile));
    expect(problems).toEqual([]);
    expect(suite).toEqual({
      version: 1,
      name: 'Shop',
      servers: ['shop'],
      system: 'Be brief.',
      cases: [
        {
          id: 'c_closed',
          name: 'Refund',
          query: 'Refund order 7',
          expected_calls: [
            {
              server: 'shop',
              tool: 'refund',
              parameters: { id: 7, reason: { $exact: 'Late' }, note: { $ignore: true } },
            },
          ],
        },
        {
          id: 'c_open',
          name: 'Track',
          query: 'Where is it?',
          expected_calls: [{ server: 'shop', tool: 'track' }],
        },
        { id: 'c_none', name: 'Hello', query: 'Hello', expected_calls: [] },
      ],
    });
    expect(report.exact).toBe(2);
    expect(report.approximated).toEqual([
      {
        case: 'c_open',
        what: 'Other calls',
        why: expect.stringContaining('further calls') as string,
      },
      {
        case: 'c_open',
        what: 'responseContains',
        why: expect.stringContaining('judges the answer') as string,
      },
    ]);
    expect(report.skipped.map((each) => each.case)).toEqual(['c_turns', 'c_direct', 'c_never']);
  });

  test('allows the tool on any of several servers', () => {
    const { suite } = read(
      'mcpjam',
      JSON.stringify({ ...mcpjamFile, target: { servers: [{ name: 'a' }, { name: 'b' }] } }),
    );
    expect(suite?.cases[1]?.expected_calls).toEqual([
      {
        any_of: [
          { server: 'a', tool: 'track' },
          { server: 'b', tool: 'track' },
        ],
      },
    ]);
  });

  test('reads its own export back and reports what the user must fill in', () => {
    const { first, second, losses } = again('mcpjam', JSON.stringify(mcpjamFile));
    expect(second.suite).toEqual(first.suite);
    expect(losses).toEqual([
      { case: null, what: expect.stringContaining('wants a model') as string },
    ]);
  });
});

describe('BFCL', () => {
  test('reads all 740 lines and its own export of them', () => {
    const counts = ['simple_python', 'multiple', 'irrelevance'].map((name) => {
      const text = readFileSync(
        new URL(`../../../../datasets/external/bfcl/${name}.jsonl`, import.meta.url),
        'utf8',
      );
      const { first, second } = again('bfcl', text);
      expect(second.suite).toEqual(first.suite);
      return [
        first.suite?.cases.length,
        first.report.exact,
        new Set(first.report.approximated.map((each) => each.case)).size,
        first.report.skipped.length,
      ];
    });
    expect(counts.map(([cases]) => cases)).toEqual([300, 200, 240]);
    for (const [cases = 0, exact = 0, nearly = 0, skipped] of counts) {
      expect(exact + nearly).toBe(cases);
      expect(skipped).toBe(0);
    }
    // Cases without a tool hold no text that could be compared in two ways.
    expect(counts[2]).toEqual([240, 240, 0, 0]);
  });

  test('reads lists of accepted values as matchers', () => {
    const line = {
      id: 'a',
      question: [
        [
          { role: 'system', content: 'x' },
          { role: 'user', content: 'q' },
        ],
      ],
      ground_truth: [
        {
          'f.g': {
            n: [1, 2],
            unit: ['m', ''],
            only: [''],
            deep: [{ x: [1], y: ['a', ''] }],
            list: [[{ k: [true] }]],
          },
        },
      ],
    };
    const { suite, report } = read('bfcl', JSON.stringify(line), { server: 's' });
    expect(suite?.cases[0]?.expected_calls).toEqual([
      {
        server: 's',
        tool: 'f.g',
        parameters: {
          n: { $any: [1, 2] },
          unit: { $optional: 'm' },
          only: { $optional: '' },
          deep: { x: 1, y: { $optional: 'a' } },
          list: [{ k: true }],
        },
      },
    ]);
    expect(report.approximated.map(({ what }) => what)).toEqual([
      'The messages before the last one',
      'f.g: unit, deep',
      'f.g: unit',
    ]);
    const { report: other } = read(
      'bfcl',
      [
        {
          id: 'm',
          question: [[{ role: 'user', content: 'a' }], [{ role: 'user', content: 'b' }]],
          ground_truth: [],
        },
        { id: 'n', question: 'q' },
        { id: 'live_irrelevance_1', question: 'q' },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    expect(other.skipped.map((each) => each.case)).toEqual(['m', 'n']);
    expect(other.exact).toBe(1);
  });
});

describe('T64: hostile texts', () => {
  const deep = '['.repeat(100_000);
  const surrounded: Record<ForeignFormat, (value: string) => string> = {
    promptfoo: (value) => `{"tests": ${value}}`,
    mcpjam: (value) => `{"schemaVersion": "1", "cases": ${value}}`,
    bfcl: (value) => `{"id": "a", "question": "q", "ground_truth": ${value}}`,
    jsonl: (value) => `{"query": "a", "tool": "t", "parameters": ${value}}`,
    csv: (value) => `query,tool,parameters\nq,t,"${value.replaceAll('"', '""')}"`,
  };
  const formats = Object.keys(surrounded) as ForeignFormat[];

  test.each(
    formats.flatMap(
      (format) =>
        [
          [format, 'depth 10⁵', deep],
          [format, '__proto__', '{"__proto__": {"polluted": 1}}'],
          [format, 'a NUL', '"\0"'],
          [format, 'truncated', '{"a": '],
        ] as const,
    ),
  )('rejects %s with %s and gives the place', (format, _what, value) => {
    const { suite, problems } = read(format, surrounded[format](value));
    expect(suite).toBeNull();
    expect(problems[0]).toMatchObject({
      line: expect.any(Number) as number,
      column: expect.any(Number) as number,
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each(formats)('rejects %s of more than 64 MB before parsing', (format) => {
    const { suite, problems } = read(format, 'x'.repeat(maxSuiteFileBytes + 1));
    expect(suite).toBeNull();
    expect(problems).toMatchObject([
      { message: expect.stringContaining('larger than 64 MB') as string },
    ]);
  });

  test('rejects another version of the MCPJam format and gives the place', () => {
    expect(read('mcpjam', '{\n  "schemaVersion": "2",\n  "cases": []\n}').problems).toMatchObject([
      { line: 2, column: 20, message: expect.stringContaining('This program reads "1"') as string },
    ]);
  });
});
