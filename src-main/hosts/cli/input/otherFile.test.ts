import { describe, expect, it } from 'vitest';
import {
  otherFile,
  recognizeFile,
  type FileRole,
} from '../../../../src-shared/display/knownFiles.ts';
import { otherFileText } from './otherFile.ts';

const json = (value: unknown, space?: number) => JSON.stringify(value, null, space);
const tool = { name: 'ping', inputSchema: {} };

describe('recognizeFile', () => {
  it.each<[string, string, string, FileRole | null, RegExp]>([
    [
      'a suite',
      'x.yaml',
      'version: 1\nname: x\nservers: [s]\ncases: []\n',
      'suite',
      /eval --suite/,
    ],
    [
      'a suite in one line',
      'x.json',
      json({ version: 1, name: 'x', cases: [] }),
      'suite',
      /eval --suite/,
    ],
    ['a suite that lacks its cases', 'x.yaml', 'version: 1\nname: x\ntests: []\n', 'suite', /eval/],
    ['a table', 'x.csv', 'prompt,expected_tool\na,b\n', 'cases', /--from csv/],
    ['a table without its ending', 'x', 'prompt;expected_tool\na;b\n', 'cases', /--from csv/],
    ['a table with tabs', 'x', 'prompt\texpected_tool\na\tb\n', 'cases', /--from csv/],
    [
      'a table of Excel',
      'x',
      '\ufeffsep=;\r\nprompt;expected_tool\r\na;b\r\n',
      'cases',
      /--from csv/,
    ],
    ['records', 'x.jsonl', '{"query":"a","tool":"b"}\n{"query": broken\n', 'cases', /--from jsonl/],
    [
      'a list of records',
      'x.json',
      json([{ input: 'a', expected_tools: [] }], 2),
      'cases',
      /--from jsonl/,
    ],
    [
      'promptfoo',
      'x.yaml',
      'prompts: [a]\nproviders: [b]\ntests: []\n',
      'cases',
      /--from promptfoo/,
    ],
    ['BFCL', 'x.jsonl', '{"id":"a","question":"q","ground_truth":[]}\n', 'cases', /--from bfcl/],
    [
      'MCPJam',
      'x.json',
      json({ schemaVersion: '1', suite: {}, cases: [] }, 2),
      'cases',
      /--from mcpjam/,
    ],
    ['a list of tools', 'x.json', json({ tools: [tool] }), 'tools', /--tools x.json/],
    [
      'a result of tools/list',
      'x.json',
      json({ result: { tools: [tool] } }, 2),
      'tools',
      /--tools x.json/,
    ],
    [
      'tools by server',
      'x.json',
      json({ servers: [{ name: 's', tools: [tool] }] }, 2),
      'tools',
      /--tools/,
    ],
    [
      'a report',
      'x.json',
      json({ format: 'touchstone-evaluation', runs: [] }, 2),
      'report',
      /compare/,
    ],
    ['another report', 'x.json', json({ format: 'touchstone-lint' }), 'report', /verify x.json/],
    ['a project', 'touchstone.yaml', 'version: 1\nsuite: a.yaml\n', 'project', /check --config/],
    [
      'servers',
      'x.json',
      json({ mcpServers: { a: { command: 'b' } } }),
      'servers',
      /servers import/,
    ],
    [
      'servers of VS Code',
      'x.json',
      json({ servers: { a: { command: 'b' } } }, 2),
      'servers',
      /servers import/,
    ],
    [
      'exchanges',
      'x.jsonl',
      '{"id":"a","tools":[],"expected_calls":[],"actual_calls":[]}\n',
      'exchanges',
      /score/,
    ],
    [
      'a recording',
      'x.jsonl',
      '{"key":"a","wireApi":"b","model":"c"}\n',
      'recording',
      /--replay x.jsonl/,
    ],
    ['other JSON', 'x.json', '{\n "a": 1\n}\n', 'JSON', /one object per line/],
    ['a text', 'x.txt', 'Hello there.\n', 'other', /plain text.*one JSON object/],
    ['nothing', 'x.txt', '', 'other', /an empty file/],
  ])('tells %s', (_what, fileName, text, role, use) => {
    const found = recognizeFile(text, fileName);
    expect(found?.role ?? null).toBe(role);
    const elsewhere = { role: role === 'exchanges' ? 'suite' : 'exchanges', kind: 'x' } as const;
    expect(otherFileText(text, elsewhere, fileName) ?? '').toMatch(use);
  });

  it('names the file in the command, and nothing where the file is what was expected', () => {
    const suite = { role: 'suite', kind: 'a suite' } as const;
    expect(otherFileText('a,b\nc,d\n', suite, 'cases.csv')).toBe(
      'This is a table (CSV), not a suite. Import it as cases. `touchstone suite import cases.csv --from csv` does it.',
    );
    expect(otherFile('a,b\nc,d\n', suite, 'cases.csv')?.message).toBe(
      'This is a table (CSV), not a suite. Import it as cases.',
    );
    expect(otherFileText('version: 1\nname: x\ncases: []\n', suite)).toBeNull();
    expect(otherFileText('{\n "a": 1\n}\n', suite)).toBeNull();
  });
});
