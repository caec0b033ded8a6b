import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let work: string;
let run = 0;
let http: Server;
let url: string;
const headersSeen: (string | undefined)[] = [];

/** A server of one tool; `DESCRIPTION` and its working folder show in what it lists. */
const program = `
import { createInterface } from 'node:readline';
import { basename } from 'node:path';
const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    out({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
  else if (method === 'tools/list')
    out({ id, result: { tools: [{ name: process.argv[2] ?? 'track_parcel', description: (process.env.DESCRIPTION ?? 'Track a parcel') + ' in ' + basename(process.cwd()), inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } }] } });
  else if (id !== undefined) out({ id, error: { code: -32601, message: 'no' } });
});
`;

beforeAll(async () => {
  folder = await temporaryFolder();
  http = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      headersSeen.push(request.headers['x-key'] as string | undefined);
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: number;
        method?: string;
        params?: { protocolVersion: string };
      };
      if (id === undefined) return void response.writeHead(202).end();
      const result =
        method === 'initialize'
          ? {
              protocolVersion: params?.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: 'h', version: '1' },
            }
          : {
              tools: [
                {
                  name: 'track_parcel',
                  description: 'Track a parcel over HTTP',
                  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
                },
              ],
            };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  url = `http://127.0.0.1:${address.port}/mcp`;
});
afterAll(async () => {
  http.close();
  await folder.remove();
});
beforeEach(async () => {
  work = join(folder.path, `project-${(run += 1)}`);
  await mkdir(work);
  await write('server.mjs', program);
  await write('suite.yaml', suiteOf(['parcels']));
});

const suiteOf = (servers: string[], server = servers[0] ?? 'parcels', tool = 'track_parcel') =>
  stringify({
    version: 1,
    name: 'parcels',
    servers,
    cases: [
      { id: 'a', name: 'a', query: 'track the parcel', expected_calls: [{ server, tool }] },
      { id: 'b', name: 'b', query: 'tell me a joke', expected_calls: [] },
    ],
  });

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(work, name)), { recursive: true });
  await writeFile(join(work, name), text);
}

async function check(
  servers: unknown,
  more: object = {},
  environment: Record<string, string> = {},
) {
  await write(
    'touchstone.yaml',
    stringify({
      version: 1,
      suite: 'suite.yaml',
      servers,
      models: [{ provider: 'builtin' }],
      ...more,
    }),
  );
  const report = join(work, 'report.json');
  const ended = await runCommand(
    [
      'check',
      '--config',
      join(work, 'touchstone.yaml'),
      '--report',
      report,
      join(work, 'report.md'),
      '--json',
    ],
    { workspace: join(folder.path, 'workspace'), env: environment },
  );
  const text = await readFile(report, 'utf8').catch(() => 'null');
  return {
    ...ended,
    report: JSON.parse(text) as {
      tools_from: string;
      tools: { tool_id: string }[];
      unscored: { reason: string }[];
    } | null,
    markdown: await readFile(join(work, 'report.md'), 'utf8').catch(() => ''),
  };
}

describe('servers of a project file', () => {
  const command = 'node server.mjs';
  it.each<[string, unknown]>([
    ['by name, with a command line', { parcels: { stdio: command } }],
    ['by name, with a list', { parcels: { stdio: ['node', 'server.mjs'] } }],
    ['by name, with command and arguments', { parcels: { command: 'node', args: ['server.mjs'] } }],
    ['in a list', [{ name: 'parcels', stdio: command }]],
    ['without a name', { stdio: command }],
    ['in a list without a name', [{ stdio: command }]],
    ['in a folder of the project', { parcels: { stdio: 'node ../server.mjs', cwd: 'sub' } }],
  ])('are started for the check: %s', async (_how, servers) => {
    await mkdir(join(work, 'sub'), { recursive: true });
    const { code, stderr, report, markdown } = await check(servers);
    expect(code, stderr).toBe(0);
    expect(report?.tools_from).toBe('servers');
    expect(report?.tools.map(({ tool_id: id }) => id)).toEqual(['parcels:track_parcel']);
    expect(markdown).toContain('- Tools tested: Servers, asked when it ran');
  });

  const stdio = { command: 'node', args: ['server.mjs'] };
  it.each<[string, string, string]>([
    ['mcpServers', '.mcp.json', JSON.stringify({ mcpServers: { parcels: stdio } })],
    [
      'servers of VS Code',
      '.vscode/mcp.json',
      JSON.stringify({ servers: { parcels: { type: 'stdio', ...stdio } } }),
    ],
    [
      'context_servers',
      '.zed/settings.json',
      JSON.stringify({ context_servers: { parcels: { source: 'custom', ...stdio } } }),
    ],
    [
      'TOML',
      '.codex/config.toml',
      '[mcp_servers.parcels]\ncommand = "node"\nargs = ["server.mjs"]\n',
    ],
    [
      'mcpServers with a folder',
      'mcp.json',
      JSON.stringify({
        mcpServers: { parcels: { command: 'node', args: ['../server.mjs'], cwd: './sub' } },
      }),
    ],
    [
      'mcpServers with a default',
      '.mcp.json',
      JSON.stringify({
        mcpServers: { parcels: { ...stdio, env: { DESCRIPTION: '${UNSET_HERE:-Track}' } } },
      }),
    ],
  ])('are read from a configuration: %s', async (_what, file, text) => {
    await mkdir(join(work, 'sub'), { recursive: true });
    await write(file, text);
    const { code, stderr, report } = await check({ config: file });
    expect(code, stderr).toBe(0);
    expect(report?.tools.map(({ tool_id: id }) => id)).toEqual(['parcels:track_parcel']);
  });

  it('starts only the servers that the suite names', async () => {
    await write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { parcels: stdio, broken: { command: 'no-such-program' } } }),
    );
    const { code, stderr } = await check({ config: '.mcp.json' });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('no-such-program');
  });

  it('offers the tools of all servers to a suite that names none', async () => {
    await write('suite.yaml', suiteOf([], 'one'));
    const { report, stderr } = await check({
      one: { stdio: 'node server.mjs' },
      two: { stdio: 'node server.mjs list_depots' },
    });
    expect(
      report?.tools.map(({ tool_id: id }) => id),
      stderr,
    ).toEqual(['one:track_parcel', 'two:list_depots']);
  });

  it('passes variables by name, and names one that has no value', async () => {
    const servers = { parcels: { stdio: 'node server.mjs', env: ['DESCRIPTION'] } };
    const given = await check(servers, {}, { DESCRIPTION: 'Track a parcel' });
    expect(given.code, given.stderr).toBe(0);
    const missing = await check(servers);
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain('${env:DESCRIPTION}');
  });

  it('reaches an HTTP server with headers from variables, and writes none of them', async () => {
    const { code, stderr, report, stdout } = await check(
      { parcels: { url, headers: { 'X-Key': '${PARCELS_KEY}' } } },
      {},
      { PARCELS_KEY: 'sk-live-4f9a8b7c6d5e4f3a2b1c' },
    );
    expect(code, stderr).toBe(0);
    expect(headersSeen).toContain('sk-live-4f9a8b7c6d5e4f3a2b1c');
    expect(JSON.stringify(report) + stdout + stderr).not.toContain('4f9a8b7c6d5e');
  });

  it('gives no verdict if a server does not start, and names it', async () => {
    const { code, stderr, report } = await check({ parcels: { stdio: 'node missing.mjs' } });
    expect(code).toBe(3);
    expect(stderr).toContain('parcels');
    expect(report?.unscored[0]?.reason).toContain('parcels');
  });

  it('fails a check of ruined tools, where the snapshot still passes', async () => {
    const thresholds = { thresholds: { min: { selection_recall: 1 } } };
    const good = await check({ parcels: { stdio: 'node server.mjs' } }, thresholds);
    expect(good.code, good.stderr).toBe(0);
    const tools = await runCommand(
      ['tools', '--name', 'parcels', '--stdio', `node ${join(work, 'server.mjs')}`, '--json'],
      { workspace: join(folder.path, 'workspace') },
    );
    await write('tools.json', tools.stdout);
    await write(
      'server.mjs',
      program.replace("'track_parcel'", "'x'").replace('Track a parcel', ''),
    );
    const ruined = await check({ parcels: { stdio: 'node server.mjs' } }, thresholds);
    expect(ruined.code).not.toBe(0);
    const snapshot = await check(undefined, { ...thresholds, tools: 'tools.json' });
    expect(snapshot.code, snapshot.stderr).toBe(0);
    expect(snapshot.report?.tools_from).toBe('snapshot');
    expect(snapshot.stderr).toContain('The tools are a snapshot');
  });

  it.each(['cases', 'tasks'])('says of %s where their tools came from', async (only) => {
    if (only === 'tasks')
      await write(
        'suite.yaml',
        stringify({
          ...{ version: 1, name: 'parcels', servers: ['parcels'] },
          cases: [
            {
              ...{ id: 't', name: 't', turns: ['track the parcel'] },
              checks: [{ calls: { must: ['track_parcel'] } }],
            },
          ],
        }),
      );
    const tools = {
      server: 'parcels',
      tools: [{ name: 'track_parcel', inputSchema: { type: 'object' } }],
    };
    await write('parcels.json', JSON.stringify(tools));
    for (const [source, servers, more] of [
      ['servers', { parcels: { stdio: 'node server.mjs track_parcel' } }, {}],
      ['snapshot', undefined, { tools: 'parcels.json' }],
    ] as const) {
      const { stdout, stderr, report, markdown } = await check(servers, more);
      expect(report?.tools_from, stderr).toBe(source);
      expect(JSON.parse(stdout)).toMatchObject({ tools_from: source });
      expect(markdown).toContain(
        `- Tools tested: ${source === 'servers' ? 'Servers' : 'Snapshot'}`,
      );
    }
  });

  it.each<[string, unknown, object, string]>([
    [
      'a server with two ways to reach it',
      { parcels: { stdio: 'node x', url: 'http://127.0.0.1' } },
      {},
      'parcels needs one of stdio, url and config',
    ],
    [
      'a server that the suite does not name',
      { other: { stdio: 'node x' } },
      {},
      'The suite names the server parcels, and the project has other',
    ],
    [
      'registered and started servers',
      ['todo', { name: 'parcels', stdio: 'node x' }],
      {},
      'todo is a registered server',
    ],
    [
      'servers next to a snapshot',
      { parcels: { stdio: 'node x' } },
      { tools: 'tools.json' },
      'tools is a snapshot',
    ],
    [
      'a suite of the workspace',
      { parcels: { stdio: 'node x' } },
      { suite: 'todo-sample' },
      'need a suite that is a file',
    ],
    ['a configuration that is missing', { config: 'none.json' }, {}, 'none.json'],
    [
      'a field that is misspelled',
      { parcels: { stdoi: 'node x' } },
      {},
      'touchstone.yaml:5:5: The format has no field "stdoi" here',
    ],
  ])('refuses %s', async (_what, servers, more, text) => {
    const { code, stderr } = await check(servers, more);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});

describe('init', () => {
  const init = (...args: string[]) =>
    runCommand(['init', '--out', join(work, 'touchstone.yaml'), ...args], {
      workspace: join(folder.path, 'workspace'),
    });
  const projectText = () => readFile(join(work, 'touchstone.yaml'), 'utf8');
  const run = (env: Record<string, string> = {}) =>
    runCommand(['check', '--config', join(work, 'touchstone.yaml')], {
      workspace: join(folder.path, 'workspace'),
      env,
    });
  const configuration = JSON.stringify({
    mcpServers: { parcels: { command: 'node', args: ['server.mjs'] } },
  });

  it('names the configuration whose servers the suite asks for, and the check passes', async () => {
    await write('.mcp.json', configuration);
    const { code, stderr } = await init();
    expect(code, stderr).toBe(0);
    expect(await projectText()).toContain('servers:\n  config: .mcp.json\n');
    const checked = await run();
    expect(checked.code, checked.stderr).toBe(0);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'the program of package.json',
      { 'package.json': '{"name":"@o/parcels-mcp","bin":"./server.mjs"}' },
      'stdio: node server.mjs',
    ],
    ['a program that serves MCP', {}, 'stdio: node server.mjs'],
  ])('starts %s', async (_what, files, text) => {
    for (const [name, content] of Object.entries(files)) await write(name, content);
    const { code, stderr } = await init();
    expect(code, stderr).toBe(0);
    expect(await projectText()).toContain(text);
    const checked = await run();
    expect(checked.code, checked.stderr).toBe(0);
  });

  it('names the broken suite with its line, and writes nothing', async () => {
    await write('suite.yaml', 'version: 1\nname: x\ncases:\n  - id: a\n    query: 5\n');
    await write('.mcp.json', configuration);
    const { code, stderr } = await init();
    expect(code).toBe(2);
    expect(stderr).toMatch(/suite\.yaml:\d+:\d+: /);
    await expect(projectText()).rejects.toThrow('ENOENT');
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['of a configuration', { '.mcp.json': configuration }, ['track_parcel', 'no-tool']],
    [
      'of the program of package.json',
      { 'package.json': '{"name":"parcels","bin":{"parcels":"server.mjs"}}' },
      ['track_parcel', 'no-tool'],
    ],
    [
      'of a server that does not start',
      { '.mcp.json': configuration.replace('server.mjs', 'gone.mjs') },
      ['no-tool'],
    ],
  ])(
    'proposes cases for the tools %s, and the check refuses to run them',
    async (_what, files, ids) => {
      await rm(join(work, 'suite.yaml'));
      for (const [name, content] of Object.entries(files)) await write(name, content);
      const { code, stderr } = await init();
      expect(code, stderr).toBe(0);
      // What to do about a server is said once.
      expect(stderr.match(/connect(?: to the server)? again\./gu)?.length ?? 0).toBe(
        ids.includes('track_parcel') ? 0 : 1,
      );
      const proposed = await readFile(join(work, 'touchstone.suite.yaml'), 'utf8');
      const { file, problems } = readSuiteFile(proposed);
      expect(problems).toEqual([]);
      expect(file?.cases.map(({ id }) => id)).toEqual(ids);
      const checked = await run();
      expect(checked.code).toBe(2);
      expect(checked.stderr).toMatch(
        /touchstone\.suite\.yaml:\d+:1: \d+ cases? (?:is|are) still to be filled in/,
      );
    },
  );

  it('writes the suite and the servers of the workspace where the folder has none', async () => {
    const workspace = join(folder.path, 'workspace');
    const [server, suite] = [join(folder.path, 'own.mjs'), join(folder.path, 'own.yaml')];
    await rename(join(work, 'server.mjs'), server);
    await rename(join(work, 'suite.yaml'), suite);
    for (const args of [
      [
        'servers',
        'add',
        'parcels',
        '--env',
        'API_KEY=sk-test-0123456789abcdef',
        '--',
        'node',
        server,
      ],
      ['suite', 'import', suite],
    ]) {
      const { code, stderr } = await runCommand(args, { workspace });
      expect(code, stderr).toBe(0);
    }
    const { code, stderr } = await init();
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/parcels needs (\S+) in the environment of the check\./u);
    const [, variable = ''] = /parcels needs (\S+) /u.exec(stderr) ?? [];
    const text = await projectText();
    expect(text).toContain(server);
    expect(text).not.toContain('sk-test');
    await rm(workspace, { recursive: true });
    const checked = await run({ [variable]: 'x' });
    expect(checked.code, checked.stderr).toBe(0);
  });

  it('proposes a server and a case where the folder has nothing, and never the sample', async () => {
    await rm(join(work, 'suite.yaml'));
    await rm(join(work, 'server.mjs'));
    const { code, stderr } = await init();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('No server was found');
    expect(await projectText()).not.toContain('todo-sample');
    expect((await run()).code).toBe(2);
  });
});
