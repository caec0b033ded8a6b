import { describe, expect, test } from 'vitest';
import { maxSuiteFileBytes } from '../../../../src-shared/contract/suites.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { read } from './readBack.fixture.ts';

describe('T64: hostile texts', () => {
  const deep = '['.repeat(100_000);
  const surrounded: Record<ForeignFormat, (value: string) => string> = {
    promptfoo: (value) => `{"tests": ${value}}`,
    mcpjam: (value) => `{"schemaVersion": "1", "cases": ${value}}`,
    bfcl: (value) => `{"id": "a", "question": "q", "ground_truth": ${value}}`,
    jsonl: (value) => `{"query": "a", "tool": "t", "parameters": ${value}}`,
    'tau-bench': (value) => `{"tasks": ${value}}`,
    deepeval: (value) => `[{"input": "a", "expected_tools": ${value}}]`,
    inspect: (value) => `{"input": "a", "target": "t", "metadata": ${value}}`,
    adk: (value) => `{"eval_cases": ${value}}`,
    langsmith: (value) => `{"inputs": {"question": "a"}, "outputs": ${value}}`,
    ragas: (value) => `{"user_input": "a", "reference_tool_calls": ${value}}`,
    chats: (value) => `{"messages": ${value}}`,
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
      { line: 2, column: 20, message: expect.stringContaining('Use "1"') as string },
    ]);
  });
});
