import { describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

const plain = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (name: string, inputSchema: unknown = plain, more: object = {}): object => ({
  server: 'fs',
  name,
  description: `Does ${name}.`,
  input_schema: inputSchema,
  ...more,
});

async function run(given: readonly object[], ...args: string[]): Promise<Ended> {
  await using folder = await temporaryFolder();
  return await runCommand(['clients', '--tools', '-', ...args], {
    workspace: folder.path,
    input: JSON.stringify({ tools: given }),
  });
}

interface Views {
  clients: {
    client: string;
    offered: { tool: string; wire_name: string; changes: { what: string }[] }[];
    hidden: { tool: string; reason: string }[];
  }[];
}
const viewsOf = ({ stdout }: Ended): Map<string, Views['clients'][number]> =>
  new Map((JSON.parse(stdout) as Views).clients.map((view) => [view.client, view]));

describe('clients', () => {
  it('says per client under which name each tool is shown', async () => {
    const views = viewsOf(await run([tool('read.file')], '--json'));
    const names = [...views].map(([client, { offered }]) => [client, offered[0]?.wire_name]);
    expect(names).toEqual([
      ['claude-code', 'mcp__fs__read_file'],
      ['codex', 'read_file'],
      ['gemini-cli', 'mcp_fs_read.file'],
      ['qwen-code', expect.stringMatching(/^mcp__fs__read_file_[0-9a-z]{7}$/)],
      ['opencode', 'fs_read_file'],
      ['cline', expect.stringMatching(/^fs__read_file_[0-9a-f]{8}$/)],
      ['continue', 'read.file'],
      ['copilot-cli', 'fs-read-file'],
    ]);
  });

  it('names the tool for which a client hides its whole server, and the fix', async () => {
    const ended = await run(
      [tool('good'), tool('bad', { type: 'object', properties: { any: true } })],
      ...['--json', '--fail-on', 'hidden'],
    );
    const views = viewsOf(ended);
    expect(ended.code).toBe(1);
    expect(views.get('claude-code')?.offered).toEqual([]);
    expect(views.get('claude-code')?.hidden.map(({ tool }) => tool)).toEqual(['good', 'bad']);
    expect(views.get('claude-code')?.hidden[0]?.reason).toBe(
      'Claude Code shows no tool of the server, because of "bad": a parameter has true or false as its schema. Write {} for any value, or leave the parameter out.',
    );
    expect(views.get('cline')?.hidden).toEqual([]);
  });

  it('says in words what each client changes, and leaves out what it does to every tool', async () => {
    const long = tool('long', plain, { description: 'x'.repeat(3000) });
    const { stdout, code } = await run(
      [tool('short'), long],
      '--client',
      'claude-code',
      'gemini-cli',
    );
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([
      'All 2 tools reach the model in Claude Code. 1 description changed. (2.1.197)',
      '  fs:long  description of 3000 characters becomes 2061',
      '',
      'All 2 tools reach the model in Gemini CLI. 2 schemas changed. (0.61.0)',
    ]);
  });

  it('refuses a client that it doesn’t know', async () => {
    const { stderr, code } = await run([tool('a')], '--client', 'claude');
    expect(code).toBe(2);
    expect(stderr).toContain("--client claude: It isn't known. Give one of claude-code, codex,");
  });
});
