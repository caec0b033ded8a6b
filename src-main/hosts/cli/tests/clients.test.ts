import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
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
    presentation: object | null;
    before: object[];
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
      ['codex-gpt-5.5', 'read_file'],
      ['codex-gpt-6.1-sol', 'mcp__fs__read_file'],
      ['gemini-cli', 'mcp_fs_read.file'],
      ['qwen-code', expect.stringMatching(/^mcp__fs__read_file_[0-9a-z]{7}$/)],
      ['opencode', 'fs_read_file'],
      ['cline', expect.stringMatching(/^fs__read_file_[0-9a-f]{8}$/)],
      ['continue', 'read.file'],
      ['copilot-cli', 'fs-read-file'],
      // Of these, it isn't known.
      ...['cursor', 'vscode', 'windsurf', 'claude-desktop', 'chatgpt', 'goose'].map((id) => [
        ...[id, null],
      ]),
    ]);
  });

  it('says what a model reads of a server before it searches, and lints it', async () => {
    await using folder = await temporaryFolder();
    const at = { workspace: folder.path };
    const tools = [{ name: 'find_book', description: 'Finds a book.', inputSchema: plain }];
    for (const [name, instructions] of [
      ['books', 'Books of the library. '.repeat(20)],
      ['quiet', null],
    ] as const) {
      const file = join(folder.path, `${name}.json`);
      writeFileSync(
        file,
        JSON.stringify({ tools, ...(instructions !== null && { instructions }) }),
      );
      const { command: program, args } = fakeStdioServer('normal');
      const command = [program, ...args, '--tools', file].join(' ');
      const added = await runCommand(['servers', 'add', name, '--stdio', command], at);
      expect(added.code, added.stderr).toBe(0);
    }
    const servers = ['--server', 'books', 'quiet'];
    const read = `${'Books of the library. '.repeat(20).slice(0, 247)}...`;
    const views = viewsOf(await runCommand(['clients', ...servers, '--json'], at));
    expect(views.get('codex')).toMatchObject({ presentation: { kind: 'flat' }, before: [] });
    for (const [id, kind] of [
      ['codex-gpt-5.5', 'deferred'],
      ['codex-gpt-6.1-sol', 'code'],
    ] as const)
      expect(views.get(id)).toMatchObject({
        presentation: { kind },
        before: [
          { server: 'books', text: read },
          { server: 'quiet', text: '' },
        ],
      });
    const { stdout } = await runCommand(['clients', ...servers, '--client', 'codex-gpt-5.5'], at);
    expect(stdout).toContain('  No tool is visible before a search: the model reads the names');
    expect(stdout).toContain(`  Of books, the model reads “${read}”.`);
    expect(stdout).toContain('  Of quiet, the model reads the name alone, because it has no');
    const lint = await runCommand(['lint', ...servers, '--json'], at);
    const { findings } = JSON.parse(lint.stdout) as {
      findings: { rule: string; message: string }[];
    };
    expect(
      findings.flatMap(({ rule, message }) =>
        rule === 'client-cuts-instructions' ? [message] : [],
      ),
    ).toEqual([
      'Codex with gpt-5.5 and gpt-6.1-sol shows 247 of the 439 characters of the instructions of "books" before a search, and no tool.',
      'Codex with gpt-5.5 and gpt-6.1-sol shows only the name of "quiet" before a search, because it has no instructions.',
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

  it('fails by what clients do to a tool beyond what they do to every tool', async () => {
    const long = tool('long', plain, { description: 'x'.repeat(3000) });
    const spaced = tool('with space');
    const codeOf = async (given: readonly object[], what: string) =>
      (await run(given, '--client', 'claude-code', 'gemini-cli', 'opencode', '--fail-on', what))
        .code;
    for (const what of ['hidden', 'cut', 'changed'])
      expect(await codeOf([tool('read')], what)).toBe(0);
    expect([await codeOf([long], 'hidden'), await codeOf([long], 'cut')]).toEqual([0, 1]);
    expect([await codeOf([spaced], 'cut'), await codeOf([spaced], 'changed')]).toEqual([0, 1]);
    expect(await codeOf([long], 'changed')).toBe(1);
    expect(await codeOf([tool('read')], 'refused')).toBe(2);
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
      expect.stringContaining('ENABLE_TOOL_SEARCH=true'),
      '  Results: up to 50,000 characters whole, then 2,000 of the beginning and a file; only structuredContent where there is text, too.',
      '  fs:long  description of 3,000 characters becomes 2,061',
      '',
      'All 2 tools reach the model in Gemini CLI. (0.61.0)',
      '  Results: up to 40,000 characters whole, then 8,000 of the beginning and 32,000 of the end; only text where there is structuredContent, too; nothing of structuredContent alone.',
    ]);
  });

  it('says what is documented of a client, where, and that the rest is not documented', async () => {
    const tools = [...Array(101).keys()].map((at) => tool(`t${at}`));
    const { stdout, code } = await run(
      tools,
      ...['--client', 'windsurf', 'vscode', 'claude-desktop', '--fail-on', 'hidden'],
    );
    expect(code).toBe(1);
    const [vscode, windsurf, claude] = stdout.trim().split('\n\n');
    expect(windsurf?.split('\n').slice(0, 3)).toEqual([
      "1 of 101 tools doesn't reach the model in Windsurf. (documented: https://docs.windsurf.com/windsurf/cascade/mcp)",
      '  It takes 100 tools at most; each can be turned off in its settings.',
      '  fs:t100  Windsurf shows 100 tools at most, and which it leaves out is not documented. Offer fewer.',
    ]);
    expect(vscode).toContain(
      'What VS Code makes of 101 tools is not documented. Not documented: names,',
    );
    expect(claude).toContain('Results: up to 150,000 characters whole.');
  });

  it('says what a client shows of results, and null for what is not known', async () => {
    const { views } = await run([tool('a')], '--json').then((ended) => ({
      views: JSON.parse(ended.stdout) as {
        clients: { client: string; known: object; assumed: string[]; results: object | null }[];
      },
    }));
    const of = (id: string) => views.clients.find(({ client }) => client === id);
    expect(of('copilot-cli')).toMatchObject({
      assumed: [],
      results: { whole: 20_000, both: 'both', image: 'dropped', link: 'dropped', error: 'marked' },
    });
    expect(of('claude-desktop')).toMatchObject({
      known: { how: 'documented', source: 'https://claude.com/docs/connectors/faq' },
      results: { whole: 150_000, beyond: null, link: null, structured_alone: null },
    });
    expect(of('cursor')?.results).toBeNull();
  });

  it('refuses a client that it doesn’t know', async () => {
    const { stderr, code } = await run([tool('a')], '--client', 'claude');
    expect(code).toBe(2);
    expect(stderr).toContain("--client claude: It isn't known. Give one of claude-code, codex,");
  });
});

describe('check --max-hidden', () => {
  const bad = tool('bad', { type: 'object', properties: { any: true } });
  const suite = {
    ...{ version: 1, name: 'files', servers: ['fs'] },
    cases: [
      {
        ...{ id: 'c1', name: 'c1', query: 'Does good.' },
        expected_calls: [{ server: 'fs', tool: 'good' }],
      },
    ],
  };

  async function check(tools: readonly object[], project: object, ...args: string[]) {
    await using folder = await temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    await writeFile(at('tools.json'), JSON.stringify({ tools }));
    await writeFile(at('suite.json'), JSON.stringify(suite));
    const settings = {
      ...{ version: 1, suite: 'suite.json', tools: 'tools.json' },
      models: [{ provider: 'builtin' }],
      ...project,
    };
    await writeFile(at('touchstone.yaml'), JSON.stringify(settings));
    const given = ['check', '--config', at('touchstone.yaml'), '--report', at('report.json')];
    const options = { workspace: at('workspace') };
    const ended = await runCommand([...given, ...args], options);
    const verified =
      ended.code === 2 ? null : await runCommand(['verify', at('report.json')], options);
    return { ...ended, verified };
  }

  it('fails by client and by name where more tools are hidden than may be, and can be verified', async () => {
    const { code, stderr, verified } = await check([tool('good'), bad], { max_hidden: 0 });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Claude Code 2.1.197: 2 of 2 tools don't reach the model, and 0 may: fs:good, fs:bad. " +
        'Claude Code shows no tool of the server, because of "bad": a parameter has true or false as its schema.',
    );
    expect(stderr).not.toContain('Cline 3.0.65: 2');
    expect(verified?.code).toBe(0);
  });

  it('passes where no tool is hidden, or only in clients that don’t count, or as many as may be', async () => {
    for (const [tools, project, args] of [
      [[tool('good')], { max_hidden: 0 }, []],
      [[tool('good'), bad], { max_hidden: { tools: 0, clients: ['cline', 'copilot-cli'] } }, []],
      [[tool('good'), bad], { max_hidden: 0 }, ['--max-hidden', '2']],
    ] as const)
      expect(await check(tools, project, ...args)).toMatchObject({
        code: 0,
        verified: { code: 0 },
      });
  });

  it('refuses a client that it doesn’t know, and clients without a limit', async () => {
    const one = await check([tool('good')], { max_hidden: { tools: 0, clients: ['claude'] } });
    expect(one).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The value must be "claude-code" or "codex"') as string,
    });
    const given = ['--max-hidden', '0', '--hidden-in', 'claude'];
    expect(await check([tool('good')], {}, ...given)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--hidden-in claude: It isn't known.") as string,
    });
    const two = await check([tool('good')], {}, '--hidden-in', 'cline');
    expect(two).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give --max-hidden N.') as string,
    });
  });
});

describe('the guide', () => {
  /** Saves the files of a page and runs its commands in their order. */
  async function follow(page: string, edit: (folder: string, line: string) => void) {
    const text = readFileSync(
      join(import.meta.dirname, '../../../../docs/guide', `${page}.md`),
      'utf8',
    );
    await using folder = await temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    for (const [, name = '', content = ''] of text.matchAll(
      /as `([\w-]+\.jsonl?)`[^\n]*:\n\n```json\n([\s\S]*?)```/g,
    ))
      await writeFile(at(name), content);
    const ended: { line: string; code: number | null; stdout: string }[] = [];
    for (const [, block = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g))
      for (const [, line = ''] of block.matchAll(/^touchstone (.+)$/gm)) {
        edit(folder.path, line);
        const args = line
          .split(' ')
          .map((word) => (/\.(json|jsonl|yaml|html)$/.test(word) ? at(word) : word));
        const { code, stdout } = await runCommand(args, { workspace: at('workspace') });
        ended.push({ line, code, stdout });
      }
    return ended;
  }

  it('“See your tools as Claude Code sees them” has commands that run on its sample', async () => {
    const ended = await follow('clients', () => {});
    expect(ended.map(({ line, code }) => [line, code])).toEqual(ended.map(({ line }) => [line, 0]));
    expect(ended.length).toBeGreaterThan(4);
    expect(ended[0]?.stdout).toContain("2 of 2 tools don't reach the model in Claude Code.");
  });

  it('“Turn real sessions into cases” makes cases of its sample, which run once they are filled in', async () => {
    const ended = await follow('gateway', (folder, line) => {
      const cases = join(folder, 'cases.yaml');
      if (!line.startsWith('eval')) return;
      const text = readFileSync(cases, 'utf8');
      expect(text.match(/FILL IN/g)?.length).toBeGreaterThanOrEqual(2);
      writeFileSync(cases, text.replaceAll(/FILL IN: .*right/g, 'Add the task for user u-1.'));
    });
    expect(ended.map(({ line, code }) => [line.split(' ')[0], code])).toEqual([
      ['servers', 0],
      ['suite', 0],
      ['eval', 0],
    ]);
    expect(ended[2]?.stdout).toContain('of 2 cases passed');
  });
});
