import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryIo, runCommand, type Ended } from '../../../testing/commandLine.ts';
import { guardedIo, noDecoding } from '../commandIo.ts';
import { readLines } from '../input/lines.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input?: Buffer): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
const put = async (name: string, bytes: Buffer | string): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, bytes);
  return path;
};
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder.remove();
});

const query = 'Schöne Grüße';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const tools = JSON.stringify({
  tools: [{ server: 'demo', name: 'ping', description: query, input_schema: { type: 'object' } }],
});
const suite = `version: 1\nname: lat\nservers: [demo]\ncases:\n  - id: a\n    name: a\n    query: ${query}\n    expected_calls: []\n`;
const report = JSON.stringify({ format: 'touchstone/evaluation', suite: query });
const recorded = JSON.stringify({ query, tools: [], expected: [] });

/** How each command is given a file of text, and what the file holds. */
const inputs: [string, string, (file: string) => string[]][] = [
  ['a suite', suite, (file) => ['suite', 'validate', file]],
  ['a suite to evaluate', suite, (file) => ['eval', '--suite', file, '--provider', 'builtin']],
  [
    'a table',
    `prompt,expected_tool\n${query},ping\n`,
    (file) => ['suite', 'import', file, '--replace', '--from', 'csv'],
  ],
  [
    'JSON lines',
    `{"query":"${query}","tool":"ping"}\n`,
    (file) => ['suite', 'import', file, '--replace', '--from', 'jsonl'],
  ],
  [
    'questions of BFCL',
    `{"id":"irrelevance_1","question":"${query}"}\n`,
    (file) => ['suite', 'import', file, '--replace', '--from', 'bfcl'],
  ],
  [
    'tests of promptfoo',
    `tests:\n  - vars: {q: ${query}}\n`,
    (file) => ['suite', 'import', file, '--from', 'promptfoo'],
  ],
  [
    'a suite of MCPJam',
    `[{"title": "a", "query": "${query}"}]`,
    (file) => ['suite', 'import', file, '--from', 'mcpjam'],
  ],
  [
    'tasks of τ-bench',
    `[{"instruction": "${query}"}]`,
    (file) => ['suite', 'import', file, '--from', 'tau-bench'],
  ],
  ['a list of tools', tools, (file) => ['lint', '--tools', file]],
  [
    'a configuration in JSON',
    `{"mcpServers": {"a": {"command": "${query}"}}}`,
    (file) => ['servers', 'import', file],
  ],
  [
    'a configuration in TOML',
    `[mcp_servers.a]\ncommand = "${query}"\n`,
    (file) => ['servers', 'import', file],
  ],
  [
    'a configuration in YAML',
    `mcpServers:\n  a:\n    command: ${query}\n`,
    (file) => ['servers', 'import', file],
  ],
  ['recorded calls', `${recorded}\n`, (file) => ['score', '--input', file]],
  ['a report to verify', report, (file) => ['verify', file]],
  ['a report to compare', report, (file) => ['compare', file, file]],
  ['parts of an evaluation', report, (file) => ['merge', file, file]],
  ['a baseline', report, (file) => ['gate', file, '--baseline', file]],
  ['a security corpus', report, (file) => ['security', '--corpus', file]],
  [
    'a corpus of tools',
    report,
    (file) => ['retrieval', '--corpus', file, '--golden', file, '--retriever', 'bm25'],
  ],
];

describe('files in other encodings', () => {
  it.each(inputs)(
    'refuses %s in Latin-1 with line, column and remedy',
    async (_what, text, args) => {
      const at = text.slice(0, text.search(/[öü]/)).split('\n');
      const file = await put('latin1.json', latin1(text));
      const { code, stderr } = await run(args(file));
      expect(stderr).toContain(
        `${file}:${at.length}:${(at.at(-1) ?? '').length + 1}: It isn’t UTF-8: byte `,
      );
      expect(stderr).toContain('or name its encoding, such as --encoding windows-1252.');
      expect(code).toBe(2);
    },
  );

  it.each(inputs)(
    'reads %s in Latin-1 by --encoding, and in UTF-16, like UTF-8',
    async (_what, text, args) => {
      const file = await put('same.json', text);
      const wanted = await run(args(file));
      await put('same.json', latin1(text));
      const named = await run(['--encoding', 'latin1', ...args(file)]);
      await put('same.json', utf16(text));
      const marked = await run(args(file));
      const shown = ({ code, stdout, stderr }: Ended) =>
        [code, stdout, stderr]
          .join('\n')
          .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\d+ ms/g, 'ID')
          // What is read alike the second time is nothing new.
          .replace(
            /^Nothing new: same has 1 case of this file already, unchanged\./m,
            'Imported same: 1 case.',
          );
      expect([shown(named), shown(marked)]).toEqual([shown(wanted), shown(wanted)]);
      expect(shown(wanted)).not.toContain('\ufffd');
    },
  );

  it('refuses a recording in Latin-1 in a line that is complete, and leaves a cut-off one out', async () => {
    const suitePath = await put('replayed.suite.yaml', suite);
    const toolsPath = await put('replayed.tools.json', tools);
    const recording = join(folder.path, 'recorded.jsonl');
    const evaluate = (...more: string[]) =>
      run(['eval', '--suite', suitePath, '--tools', toolsPath, '--provider', 'builtin', ...more]);
    const { code, stderr } = await evaluate('--record', recording);
    expect([0, 1], stderr).toContain(code);
    const lines = await readFile(recording, 'utf8');
    expect(lines).toContain('ö');
    await writeFile(recording, latin1(lines));
    expect((await evaluate('--replay', recording)).stderr).toMatch(
      /recorded\.jsonl, line \d+: Column \d+: It isn’t UTF-8: byte \d+ \(0xF6\)/,
    );
    expect((await evaluate('--replay', recording, '--encoding', 'latin1')).stderr).not.toContain(
      'UTF-8',
    );
    const cut = Buffer.from(lines).indexOf('ö', Buffer.from(lines).lastIndexOf('{"key"'), 'utf8');
    await writeFile(recording, Buffer.from(lines).subarray(0, cut + 1));
    expect((await evaluate('--replay', recording)).stderr).toContain(
      'It contains no recorded answers.',
    );
  });

  it('reads characters that are split between the chunks of standard input', async () => {
    const io = guardedIo(memoryIo());
    const text = `\ufeff${query} 🛒\r\n\u2028${query}\n\nend \ufffd`;
    const lines = async (bytes: Buffer, decoding = noDecoding) => {
      const stdin = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
      const found: string[] = [];
      for await (const line of readLines('-', { ...io, stdin, decoding })) found.push(line);
      return found;
    };
    const wanted = [`${query} 🛒`, `\u2028${query}`, '', 'end \ufffd'];
    expect(await lines(Buffer.from(text))).toEqual(wanted);
    expect(await lines(Buffer.from(text, 'utf16le'))).toEqual(wanted);
    await expect(lines(latin1(`a\n\n${query}\n`))).rejects.toThrow(
      'standard input:3:4: It isn’t UTF-8: byte 4 (0xF6)',
    );
    expect(await lines(latin1(query), { ...noDecoding, encoding: 'windows-1252' })).toEqual([
      query,
    ]);
  });

  it('refuses a list of tools in Latin-1 on standard input, and reads it by --encoding', async () => {
    const refused = await run(['lint', '--tools', '-'], latin1(tools));
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('standard input:1:');
    const read = await run(
      ['lint', '--tools', '-', '--json', '--encoding', 'latin1'],
      latin1(tools),
    );
    expect(read.stderr).toBe('');
  });

  it.each([
    ['tokens', []],
    ['find-tool', ['--description', 'weather']],
  ])('takes the encodings of files and of tokens by --encoding of %s', async (command, more) => {
    const file = await put('counted.json', latin1(tools));
    const counted = async (...encodings: string[]) => {
      const { code, stdout, stderr } = await run([
        command,
        ...['--tools', file, '--json', ...more],
        ...encodings.flatMap((name) => ['--encoding', name]),
      ]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      return stdout;
    };
    const plain = await counted('latin1');
    expect(await counted('latin1', 'cl100k_base')).toBe(plain);
    expect(await counted('o200k_base', 'latin1')).not.toBe(plain);
    const unknown = await run([command, '--tools', file, ...more, '--encoding', 'o200k']);
    expect(unknown.stderr).toContain('for files, or cl100k_base or o200k_base for tokens.');
    const elsewhere = await run(['lint', '--tools', file, '--encoding', 'o200k_base']);
    expect(elsewhere.stderr).toContain('--encoding o200k_base: Unknown encoding.');
  });

  it('keeps a file of UTF-8 under --encoding and says so, and rejects unknown encodings', async () => {
    const file = await put('kept.yaml', suite.replace('Grüße', 'Grüße \ufffd'));
    const kept = await run(['--encoding', 'cp1252', 'suite', 'validate', file]);
    expect(kept).toMatchObject({ code: 0, stderr: `${file}: It is utf-8 and was read as that.\n` });
    const quiet = await run(['--encoding', 'cp1252', '--quiet', 'suite', 'validate', file]);
    expect(quiet.stderr).toBe('');
    const unknown = await run(['suite', 'validate', file, '--encoding', 'nonsense']);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('--encoding nonsense: Unknown encoding.');
  });
});
