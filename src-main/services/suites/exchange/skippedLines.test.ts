import { describe, expect, test } from 'vitest';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { read } from './readBack.fixture.ts';

const yaml = (...lines: string[]): string => `${lines.join('\n')}\n`;
const ok = ' assert: [{type: "trajectory:tool-used", value: a}]';

describe('a record that is left out', () => {
  test.each<[what: string, format: ForeignFormat, text: string, lines: number[]]>([
    [
      'promptfoo: a program, a file, a number, scenarios',
      'promptfoo',
      yaml(
        'prompts: ["{{query}}"]',
        'tests:',
        `  - {vars: {query: x},${ok}}`,
        '  - vars: {query: y}',
        '    assert: [{type: javascript, value: "1"}]',
        '  - file://more.yaml',
        '  - 7',
        'scenarios:',
        '  - config: []',
      ),
      // Scenarios come before the tests.
      [9, 4, 6, 7],
    ],
    [
      'promptfoo: a conversation without a check',
      'promptfoo',
      yaml(
        'prompts: ["{{query}}"]',
        'tests:',
        `  - {vars: {query: x},${ok}}`,
        '  - vars: {query: y}',
        '    metadata: {conversationId: c}',
      ),
      [4],
    ],
    [
      'MCPJam cases: no prompt, nothing checked',
      'mcpjam',
      yaml(
        'schemaVersion: "1"',
        'target: {servers: [{name: s}]}',
        'cases:',
        '  - id: ok',
        '    steps: [{kind: prompt, prompt: x}]',
        '    checks: [{type: toolCalledAtLeastOnce, toolName: a}]',
        '  - id: no-prompt',
        '    steps: []',
        '  - id: nothing',
        '    steps: [{kind: prompt, prompt: x}, {kind: prompt, prompt: y}]',
        '  - id: never',
        '    isNegativeTest: true',
        '    steps: [{kind: prompt, prompt: x}, {kind: prompt, prompt: y}]',
      ),
      [7, 9],
    ],
    [
      'MCPJam tests: no query, another system prompt',
      'mcpjam',
      yaml(
        'tests:',
        '  - {title: a, query: x, expectedToolCalls: [a]}',
        '  - {title: b, expectedToolCalls: [a]}',
        '  - {title: c, query: y, expectedToolCalls: [a], advancedConfig: {system: z}}',
      ),
      [3, 4],
    ],
    [
      'τ-bench: no instruction, no tool in an action, nothing to check',
      'tau-bench',
      yaml(
        '[',
        '{"instruction": "x", "actions": [{"name": "a"}]},',
        '{"actions": [{"name": "a"}]},',
        '',
        '{"instruction": "y", "actions": [{"kwargs": {}}]},',
        '{"instruction": "z", "actions": []}',
        ']',
      ),
      [3, 5, 6],
    ],
    [
      'BFCL: several turns, no answer, an answer that is no tool',
      'bfcl',
      yaml(
        '{"id": "a", "question": "x", "ground_truth": [{"f": {}}]}',
        '{"id": "b", "question": [[{"role": "user"}], []], "ground_truth": []}',
        '',
        '{"id": "c", "question": "x"}',
        '{"id": "d", "question": "x", "ground_truth": ["f()"]}',
      ),
      [2, 4, 5],
    ],
    ['CSV: no query', 'csv', yaml('query,tool', 'x,a', ',a'), [3]],
    [
      'records: a tool that can’t be read',
      'jsonl',
      yaml('{"query": "x", "expected_tool": "a"}', '{"query": "y", "expected_tool": {"z": 1}}'),
      [2],
    ],
  ])('has its own line: %s', (_what, format, text, lines) => {
    const { report, problems } = read(format, text, { server: 's' });
    expect(problems).toEqual([]);
    expect(report.skipped.map(({ line }) => line)).toEqual(lines);
  });

  test('gives its line to the problem of a file of which nothing is left', () => {
    const text = yaml('[', '{"instruction": "y", "actions": []}', ']');
    expect(read('tau-bench', text).problems).toMatchObject([
      { line: 2, message: expect.stringMatching(/^None of the 1 case /) as string },
    ]);
  });

  test('is refused with its line if it is no object in a list of tests', () => {
    const text = yaml('tests:', '  - {title: a, query: x, expectedToolCalls: [a]}', '  - 7');
    expect(read('mcpjam', text).problems).toMatchObject([{ line: 3, path: '/tests/1' }]);
  });
});
