import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { read, readBack } from './readBack.fixture.ts';

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
      /threshold of 0\.8.*up to 3 calls.*text of the answer/,
    );
    expect(report.skipped).toEqual([
      {
        case: 'tests[6] a program',
        line: 34,
        why: 'javascript: It is a program, which is never run.',
      },
      {
        case: 'tests[7] judged by a model',
        line: 37,
        why: expect.stringMatching(/^llm-rubric: It checks the text/) as string,
      },
      {
        case: 'tests[10]',
        line: 46,
        why: 'It refers to file://more.yaml, and other files aren’t opened.',
      },
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
          vars: { query: 'Find it' },
          assert: [
            { type: 'javascript', value: code },
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
    expect(report.approximated.map(({ what }) => what)).toEqual(['javascript']);
    expect(report.skipped).toEqual([
      {
        case: 'tests[0]',
        line: 1,
        why: expect.stringMatching(/^Its template has the expression range\.constructor/) as string,
      },
      { case: 'tests[2]', line: 1, why: expect.stringContaining('never run') as string },
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
    const { first, second, losses } = readBack('promptfoo', promptfooConfig);
    expect(losses).toEqual([]);
    expect(second.suite).toEqual(first.suite);
    expect(second.report).toMatchObject({ exact: 9, skipped: [] });
  });
});
