import { describe, expect, it } from 'vitest';
import { guessFormat } from './guessFormat.ts';

describe('guessFormat', () => {
  it.each([
    ['a.yaml', 'version: 1\nname: x\nservers: [a]\ncases:\n  - id: a\n', 'touchstone'],
    ['a.json', '{"version": 1, "name": "x", "cases": []}', 'touchstone'],
    ['promptfooconfig.yaml', 'prompts: [x]\nproviders: [y]\ntests:\n  - vars: {}\n', 'promptfoo'],
    ['tests.csv', 'question,__expected\nhello,x\n', 'promptfoo'],
    ['cases.csv', 'query,tool\na,b\n', 'csv'],
    ['pasted', 'query,tool\na,b\n', 'csv'],
    [
      'x.json',
      '{"id":"a","question":[[{"role":"user"}]],"function":[]}\n{"id":"b","question":[],"function":[]}\n',
      'bfcl',
    ],
    ['x.jsonl', '{"query":"a","tool":"b"}\n', 'jsonl'],
    ['pasted', '{"query":"a"}\n{"query":"b"}\n', 'jsonl'],
    ['suite.json', '{"schemaVersion": 1, "tests": []}', 'mcpjam'],
    ['tests.json', '[{"title": "a", "query": "b", "expectedToolCalls": ["c"]}]', 'mcpjam'],
    ['tasks.json', '[{"instruction": "Return it", "actions": []}]', 'tau-bench'],
    ['a.json', '{"version": "2", "testCases": [{"query": "a", "expectedTools": ["b"]}]}', 'jsonl'],
    ['b.json', '[{"input": "a", "expected_tools": [{"name": "b"}]}]', 'jsonl'],
    ['c.yaml', 'scenarios:\n  - prompt: a\n    expect_tool: {name: b}\n', 'jsonl'],
    [
      'd.yaml',
      'evals:\n  tests:\n    - prompt: a\n      expected_tool_calls: {required: [b]}\n',
      'jsonl',
    ],
    ['e.json', '[{"query": "a", "should_trigger": true}]', 'jsonl'],
    [
      'a.json',
      '{"suite": "a", "groups": [{"items": [{"prompt": "a", "expect": {"tool": "b"}}]}]}',
      'jsonl',
    ],
    ['empty', '', 'touchstone'],
  ])('recognizes the format of %s', (fileName, text, format) => {
    expect(guessFormat(fileName, text)).toBe(format);
  });
});
