import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { clientEnvironment, runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let workspace: string;
const run = (args: readonly string[], input?: string) =>
  runCommand(['workshop', ...args], { workspace, ...(input === undefined ? {} : { input }) });
const json = async <T>(args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
};
const tool = {
  touchstone_tool: 1,
  name: 'upper_case',
  description: 'Writes a text in capitals.',
  executor_type: 'shell',
  executor_config: { output: 'text', args: ['{{text}}'] },
  input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  script: 'upper_case.sh',
};

beforeAll(async () => {
  folder = await temporaryFolder();
  workspace = join(folder.path, 'workspace');
  await mkdir(join(folder.path, 'tools'));
  await writeFile(join(folder.path, 'tools', 'upper_case.tool.json'), JSON.stringify(tool));
  await writeFile(join(folder.path, 'tools', 'upper_case.sh'), 'printf %s "$1" | tr a-z A-Z\n');
});
afterAll(() => folder.remove());

describe('touchstone workshop', () => {
  it('saves a tool from files, runs it, restores a version and exports it', async () => {
    const file = join(folder.path, 'tools', 'upper_case.tool.json');
    expect(await json(['save', file])).toEqual({
      tools: [{ name: 'upper_case', act: 'create', version: 1 }],
    });
    expect(await json(['save', join(folder.path, 'tools')])).toEqual({
      tools: [{ name: 'upper_case', act: 'same', version: 1 }],
    });
    expect(
      await json(['run', 'upper_case', '--arguments', '{"text":"abc"}', '--trace', 't1']),
    ).toMatchObject({
      status: 'SUCCESS',
      output_data: 'ABC',
      version: 1,
      caller_id: 'command line',
      trace_id: 't1',
    });
    await writeFile(join(folder.path, 'tools', 'upper_case.sh'), 'printf %s "$1!" | tr a-z A-Z\n');
    expect(await json(['save', file, '--changelog', 'louder'])).toMatchObject({
      tools: [{ act: 'save', version: 2 }],
    });
    expect(await json(['versions', 'upper_case'])).toMatchObject({
      versions: [
        { version: 2, changelog: 'louder', is_latest: true },
        { version: 1, is_latest: false },
      ],
    });
    expect(await json(['restore', 'upper_case', '1'])).toMatchObject({
      version: 3,
      script_content: 'printf %s "$1" | tr a-z A-Z\n',
    });
    expect(await json(['show', 'upper_case', '--tool-version', '2'])).toMatchObject({
      version: 2,
      script_content: 'printf %s "$1!" | tr a-z A-Z\n',
    });
    expect((await run(['run', 'upper_case', '--arguments', '-'], '{"text":"x"}')).stdout).toBe(
      'X\n',
    );
    await json(['export', '--out', join(folder.path, 'out')]);
    expect(await readFile(join(folder.path, 'out', 'upper_case.sh'), 'utf8')).toBe(
      'printf %s "$1" | tr a-z A-Z\n',
    );
    expect(await json(['log', 'upper_case'])).toMatchObject({
      total: 2,
      executions: [{ status: 'SUCCESS' }, { status: 'SUCCESS' }],
    });
    expect(await json(['remove', 'upper_case'])).toMatchObject({ removed: 'upper_case' });
    expect(await json(['list'])).toEqual({ tools: [] });
    expect(await json(['remove', 'upper_case', '--restore'])).toMatchObject({
      name: 'upper_case',
      version: 3,
    });
  });

  it('lists executions by trace ID and by caller', async () => {
    expect(await json(['log', '--trace', 't1'])).toMatchObject({
      total: 1,
      executions: [{ trace_id: 't1', caller_id: 'command line' }],
    });
    expect(await json(['log', '--caller', 'command line'])).toMatchObject({ total: 2 });
    expect(await json(['log', '--caller', 'nobody'])).toMatchObject({ total: 0 });
  });

  it('ends with 2 for bad input and with 3 for a failed tool, with the reason', async () => {
    const broken = join(folder.path, 'broken.tool.json');
    await writeFile(broken, '{\n  "touchstone_tool": 1,\n}');
    for (const [args, code, reason] of [
      [['save', broken], 2, /broken\.tool\.json:3:\d+: This is not JSON/],
      [['save', join(folder.path, 'nowhere.tool.json')], 2, /doesn't exist/],
      [['run', 'upper_case', '--arguments', '{}'], 2, /"text" is required/],
      [['run', 'upper_case', '--arguments', '[]'], 2, /no object/],
      [['run', 'nope'], 2, /Tool nope/],
      [['status', 'upper_case', 'DEPRECATED'], 2, /can't become/],
      [['restore', 'upper_case', '99'], 2, /the latest is 3/],
      [['show', 'upper_case', '--form', 'mcp'], 2, /no active tool/],
      [['serve', '--stdio', '--http', '0'], 2, /can't be combined/],
      [['remove', 'upper_case', '--restore', '--purge'], 2, /can't be combined/],
      [['remove', 'upper_case', '--purge'], 2, /no deleted tool/],
      [['list', '--form', 'gemini'], 2, /openai, anthropic, mcp/],
    ] as const) {
      const ended = await run(args);
      expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
      expect(ended.stderr).toMatch(reason);
    }
    const failing = join(folder.path, 'failing.tool.json');
    await writeFile(
      failing,
      JSON.stringify({
        ...tool,
        name: 'failing',
        script: 'failing.sh',
        executor_config: { annotations: { destructiveHint: true } },
      }),
    );
    await writeFile(join(folder.path, 'failing.sh'), 'echo because >&2; exit 4\n');
    await run(['save', failing]);
    const asked = await run(['run', 'failing', '--arguments', '{"text":"x"}']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('{"text":"x"}')]);
    const ended = await run(['run', 'failing', '--arguments', '{"text":"x"}', '--yes', '--json']);
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
      3,
      { status: 'FAILED', error_code: 'exit_code', stderr_tail: 'because' },
    ]);
  });

  it('runs a draft from a file without saving it, and logs it as a draft', async () => {
    const file = join(folder.path, 'draft_only.tool.json');
    const draft = {
      ...tool,
      name: 'draft_only',
      script: 'draft_only.sh',
      executor_config: { ...tool.executor_config, annotations: { destructiveHint: true } },
    };
    await writeFile(file, JSON.stringify(draft));
    await writeFile(join(folder.path, 'draft_only.sh'), 'printf "%s?" "$1"\n');
    const args = ['run', '--file', file, '--arguments', '{"text":"so"}'];
    const asked = await run(args);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('destructive')]);
    expect(await json([...args, '--yes', '--trace', 'draft-1'])).toMatchObject({
      status: 'SUCCESS',
      output_data: 'so?',
      version: null,
    });
    expect((await run(['log', '--trace', 'draft-1'])).stdout).toMatch(
      /draft_only\s+draft\s+SUCCESS/,
    );
    expect((await run(['show', 'draft_only'])).code).toBe(2);
    for (const [given, reason] of [
      [['run'], /name of a tool, or a draft/],
      [['run', 'upper_case', '--file', file], /name of a tool, or a draft/],
      [['run', '--file', file, '--tool-version', '1'], /has no versions/],
      [['run', '--file', join(folder.path, 'none.tool.json')], /none\.tool\.json/],
      [['run', '--file', join(folder.path, 'draft_only.sh')], /no tool among the files/],
    ] as const) {
      const refused = await run(given);
      expect([given, refused.code]).toEqual([given, 2]);
      expect(refused.stderr).toMatch(reason);
    }
  });

  it('serves the ACTIVE tools over stdio and notifies about changes by another process', async () => {
    await run(['status', 'upper_case', 'ACTIVE']);
    expect(await json(['list', '--form', 'anthropic'])).toEqual({
      tools: [
        { name: 'upper_case', description: tool.description, input_schema: tool.input_schema },
      ],
      omitted: [],
    });
    const client = new Client({ name: 'listener', version: '1' });
    const heard = Promise.withResolvers<void>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => heard.resolve());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [testedProgram, '--workspace', workspace, 'workshop', 'serve', '--stdio'],
        env: clientEnvironment(workspace),
        stderr: 'inherit',
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['upper_case']);
    expect(
      await client.callTool({ name: 'upper_case', arguments: { text: 'over mcp' } }),
    ).toMatchObject({ content: [{ type: 'text', text: 'OVER MCP' }] });
    await run(['status', 'upper_case', 'DISABLED']);
    await heard.promise;
    expect((await client.listTools()).tools).toEqual([]);
    await client.close();
    expect(await json(['log', '--limit', '1'])).toMatchObject({
      executions: [{ caller_id: 'mcp: listener', status: 'SUCCESS' }],
    });
    await run(['remove', 'upper_case']);
    expect(await json(['remove', 'upper_case', '--purge'])).toMatchObject({
      removed: 'upper_case',
      for_good: true,
    });
    expect([await json(['list', '--deleted']), await json(['log'])]).toMatchObject([
      { tools: [] },
      { executions: [{ tool: 'draft_only' }, { tool: 'failing' }] },
    ]);
  });

  it('groups tools in categories: creates, renames, moves and deletes them, and shows the path', async () => {
    const file = join(folder.path, 'tools', 'grouped.tool.json');
    await writeFile(file, JSON.stringify({ ...tool, name: 'grouped' }));
    const category = (...args: string[]) => json<object>(['category', ...args]);
    await category('create', 'office');
    expect(
      await category('create', 'texts', '--parent', 'office', '--description', 'Changes text'),
    ).toMatchObject({ parent: 'office', path: 'office/texts', description: 'Changes text' });
    expect(await json(['save', file, '--category', 'office/texts'])).toMatchObject({
      tools: [{ name: 'grouped' }],
    });
    expect(await category('rename', 'texts', 'writing')).toMatchObject({
      path: 'office/writing',
      description: 'Changes text',
    });
    for (const given of ['office', 'writing'])
      expect(await json(['list', '--category', given])).toMatchObject({
        tools: [{ name: 'grouped', category: 'office/writing' }],
      });
    expect(await json(['list', '--category', '', '--search', 'grouped'])).toEqual({ tools: [] });
    expect(await json(['show', 'grouped'])).toMatchObject({ category: 'office/writing' });
    const [, first, ...others] = (await run(['list'])).stdout.trimEnd().split('\n');
    expect(first).toMatch(/^office\/writing +grouped/);
    for (const line of others) expect(line).toMatch(/^– /);
    await json(['status', 'grouped', 'ACTIVE']);
    expect(await json(['list', '--form', 'mcp'])).toMatchObject({
      tools: [{ name: 'grouped', _meta: { 'touchstone/category': 'office/writing' } }],
    });
    await json(['status', 'grouped', 'DISABLED']);
    expect(await category('update', 'writing', '--parent', '', '--description', '')).toMatchObject({
      parent: null,
      description: null,
    });
    expect(await category('list')).toMatchObject({
      categories: [{ name: 'office' }, { name: 'writing', path: 'writing' }],
    });
    expect((await run(['category', 'list'])).stdout).toContain('writing');
    expect((await run(['category', 'remove', 'writing'])).stdout).toBe(
      'Category writing was removed. 1 tool is at the top level now.\n',
    );
    expect(await json(['show', 'grouped'])).toMatchObject({ category: null });
    for (const [args, reason] of [
      [['category', 'remove', 'writing'], /no category with this name/],
      [['show', 'never_was'], /^Tool never_was: It doesn't exist\. /],
      [['category', 'create', 'office'], /Another category has this name/],
      [['category', 'update', 'office', '--parent', 'office'], /contain itself/],
      [['category', 'update', 'office'], /nothing to change/],
      [['list', '--category', 'nowhere'], /no category with this name/],
      [['save', file, '--category', 'nowhere'], /no category with this name/],
    ] as const) {
      const ended = await run(args);
      expect([args, ended.code]).toEqual([args, 2]);
      expect(ended.stderr).toMatch(reason);
    }
    expect(await category('remove', 'office')).toMatchObject({
      removed: 'office',
      tools: 0,
      categories: 0,
      moved_to: null,
    });
    await category('create', 'empty');
    expect((await run(['category', 'remove', 'empty'])).stdout).toBe(
      'Category empty was removed.\n',
    );
  });

  it('shows an example in the help of every command', async () => {
    for (const name of [
      'list',
      'show',
      'save',
      'run',
      'versions',
      'restore',
      'serve',
      'status',
      'remove',
      'export',
      'log',
      'category',
    ]) {
      const { code, stdout } = await run([name, '--help']);
      expect([name, code]).toEqual([name, 0]);
      expect(stdout).toContain('Example:');
    }
  });
});
