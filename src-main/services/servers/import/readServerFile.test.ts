import { describe, expect, it } from 'vitest';
import { maxServerFileLength } from '../../../../src-shared/contract/servers.ts';
import { base64, bundleText, fileTexts, manifest } from './importTexts.fixture.ts';
import { readServerFile } from './readServerFile.ts';

const read = (text: string, fileName = 'mcp.json') => readServerFile({ fileName, text });
const stdio = (
  command: string,
  args: string[] = [],
  env: Record<string, string> = {},
  cwd: string | null = null,
) => ({ transport: 'stdio', command, args, cwd, env });
const http = (url: string, headers: Record<string, string> = {}) => ({
  transport: 'streamable-http',
  url,
  headers,
});
const configs = (text: string) => {
  const { entries, skipped, problems } = read(text);
  expect({ skipped, problems }).toEqual({ skipped: [], problems: [] });
  return Object.fromEntries(entries.map(({ name, config }) => [name, config]));
};

describe('readServerFile', () => {
  it.each<[keyof typeof fileTexts, string, Record<string, unknown>]>([
    [
      'claudeDesktop',
      'mcp-servers',
      {
        files: stdio('npx', ['-y', '@example/files@1.2.3', '/data/my notes'], {
          API_KEY: 'very-hidden',
          LEVEL: 'info',
        }),
      },
    ],
    [
      'claudeCode',
      'claude-code',
      {
        db: stdio('${BIN:-db-server}', ['--url', '${DB_URL}']),
        search: http('${BASE:-https://search.example}/mcp', {
          Authorization: 'Bearer ${SEARCH_TOKEN}',
        }),
      },
    ],
    [
      'claudeHome',
      'claude-code',
      {
        notes: stdio('notes'),
        'notes (shop)': stdio('notes', ['--shop']),
        stock: { transport: 'sse', url: 'https://stock.example/events', headers: {} },
      },
    ],
    [
      'vscode',
      'vscode',
      {
        github: stdio(
          'gh-mcp',
          ['--region', '${input:region}'],
          { TOKEN: '${input:gh-token}', USER: '${env:USER}' },
          '${workspaceFolder}',
        ),
      },
    ],
    ['vscodeSettings', 'vscode', { web: http('https://web.example/mcp') }],
    [
      'cursor',
      'mcp-servers',
      {
        remote: { transport: 'sse', url: 'https://remote.example/sse', headers: { 'X-Key': 'k' } },
      },
    ],
    [
      'lmStudio',
      'mcp-servers',
      { hub: http('https://hub.example/mcp', { Authorization: 'Bearer abc' }) },
    ],
    ['cline', 'cline', { weather: stdio('node', ['/opt/weather.js']) }],
    [
      'codex',
      'codex',
      {
        docs: {
          ...stdio('docs-server', ['--stdio'], { DOCS_HOME: '${DOCS_HOME}', MODE: 'read' }),
          startTimeoutMs: 20_000,
        },
        tracker: http('https://tracker.example/mcp', {
          'X-Team': 'blue',
          Authorization: 'Bearer ${TRACKER_TOKEN}',
        }),
      },
    ],
    [
      'registry',
      'registry',
      {
        'io.example/weather': stdio(
          'npx',
          ['-y', '@example/weather@1.0.2', '--units', '${input:units}', 'serve'],
          { WEATHER_KEY: '${input:WEATHER_KEY}' },
        ),
        'io.example/weather (pypi)': stdio('uvx', ['example-weather@1.0.2']),
        'io.example/weather (oci)': stdio(
          'docker',
          ['run', '-i', '--rm', '-e', 'MODE', 'docker.io/example/weather:1.0.2'],
          { MODE: 'fast' },
        ),
        'io.example/weather (streamable-http)': http('https://${input:tenant}.weather.example/mcp'),
      },
    ],
    [
      'registrySnake',
      'registry',
      {
        'io.example/old': stdio('npx', ['-y', 'old-server@0.3.0'], { A: 'b' }),
        'io.example/old (sse)': { transport: 'sse', url: 'https://old.example/sse', headers: {} },
      },
    ],
  ])('reads every server of the %s file', (name, format, expected) => {
    expect(configs(fileTexts[name])).toEqual(expected);
    expect(read(fileTexts[name]).format).toBe(format);
  });

  it('keeps unknown keys, and inputs with their defaults', () => {
    expect(read(fileTexts.cline).entries[0]).toMatchObject({
      extra: { disabled: true, autoApprove: ['forecast'], timeout: 60 },
      warnings: ['Disabled in its file.'],
    });
    expect(read(fileTexts.vscode).entries[0]).toMatchObject({
      extra: { dev: { watch: 'src/**' } },
      inputs: [
        { id: 'gh-token', password: true, default: null },
        { id: 'region', default: 'eu' },
      ],
    });
    expect(read(fileTexts.registry).entries[0]?.warnings).toContain(
      'PROXY is optional and is left out.',
    );
  });

  it('reads names without quotes and single quotes as JSON5 does', () => {
    const file = readServerFile({
      fileName: 'openclaw.json',
      text: "{\n  // mine\n  mcp: { servers: { todo: { command: 'node', args: ['todo.js',] } } },\n}",
    });
    expect(file.problems).toEqual([]);
    expect(file.entries).toMatchObject([{ name: 'todo', config: { args: ['todo.js'] } }]);
  });

  it('ignores a byte order mark, comments and trailing commas', () => {
    expect(read(`\ufeff${fileTexts.claudeDesktop}`).entries).toHaveLength(1);
    expect(read(`\ufeff${fileTexts.codex}`).entries).toHaveLength(2);
  });

  it.each([
    'hello, this is text',
    '<!doctype html>',
    '{"mcpServers": ',
    '{"version": 1}',
    '[]',
    '\u0089\u0000\u0001',
  ])('says that %j is no bundle where its name says so', (text) => {
    for (const name of ['x.mcpb', 'x.dxt', 'X.MCPB'])
      expect(read(text, name).problems[0]?.message).toMatch(/^A bundle .* is a ZIP archive/);
    expect(read(text, 'x.json').problems[0]?.message).not.toMatch(/ZIP/);
  });

  it('reads a bundle and its settings', () => {
    const { format, entries } = read(
      bundleText({ 'manifest.json': manifest, 'server/index.js': '//' }),
      'x.mcpb',
    );
    expect(format).toBe('bundle');
    expect(entries).toMatchObject([
      {
        name: 'bundled',
        config: stdio('node', ['${__dirname}/server/index.js'], { KEY: '${input:api_key}' }),
        inputs: [{ id: 'api_key', password: true }],
      },
    ]);
  });

  // MCPB's manifest: a field with `multiple` has a list, and becomes several arguments.
  it.each<[string, object, string[], [string, string | null][], string[]]>([
    [
      'each of several values an argument',
      { folders: { type: 'directory', multiple: true, default: ['/a', '/b', '/c'] } },
      ['${input:folders}', '${input:folders_2}', '${input:folders_3}'],
      [
        ['folders', '/a'],
        ['folders_2', '/b'],
        ['folders_3', '/c'],
      ],
      [],
    ],
    [
      'one value as it is',
      { folders: { type: 'directory', multiple: true, default: ['/a'] } },
      ['${input:folders}'],
      [['folders', '/a']],
      ['"folders" takes several values: for more than one, add arguments to the server.'],
    ],
    [
      'an empty list as no value',
      { folders: { type: 'file', multiple: true, default: [] } },
      ['${input:folders}'],
      [['folders', null]],
      ['"folders" takes several values: for more than one, add arguments to the server.'],
    ],
    [
      'numbers and switches as texts',
      { folders: { type: 'number', default: 3 }, loud: { type: 'boolean', default: false } },
      ['${input:folders}'],
      [
        ['folders', '3'],
        ['loud', 'false'],
      ],
      [],
    ],
  ])('reads %s of a bundle', (_what, fields, args, inputs, warnings) => {
    const server = { mcp_config: { command: 'node', args: ['${user_config.folders}'] } };
    const { entries } = read(
      bundleText({ 'manifest.json': JSON.stringify({ name: 'b', server, user_config: fields }) }),
      'x.mcpb',
    );
    expect(entries[0]?.config).toMatchObject({ args });
    expect(entries[0]?.inputs.map((input) => [input.id, input.default])).toEqual(inputs);
    expect(entries[0]?.warnings).toEqual(warnings);
  });

  it('says that a text takes only the first of several values of a bundle', () => {
    const config = { command: 'node', args: ['--in=${user_config.dirs}'] };
    const fields = { dirs: { type: 'directory', multiple: true, default: ['/a', '/b'] } };
    const { entries } = read(
      bundleText({
        'manifest.json': JSON.stringify({
          name: 'b',
          server: { mcp_config: config },
          user_config: fields,
        }),
      }),
      'x.mcpb',
    );
    expect(entries[0]?.config).toMatchObject({ args: ['--in=${input:dirs}'] });
    expect(entries[0]?.warnings).toEqual([
      '"dirs" has several default values, and one text takes them: only the first is filled in.',
    ]);
  });

  const entry = { command: 'npx', args: ['-y', 'thing@1.0.0'], env: { A: '1' } };
  it.each([
    [`cursor://anysphere.cursor-deeplink/mcp/install?name=thing&config=${base64(entry)}`],
    [
      `cursor://anysphere.cursor-deeplink/mcp/install?name=thing&config=${encodeURIComponent(base64(entry))}`,
    ],
    [`lmstudio://add_mcp?name=thing&config=${base64(entry)}`],
    [`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'thing', ...entry }))}`],
    [
      `vscode-insiders:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'thing', ...entry }))}`,
    ],
    [
      `https://insiders.vscode.dev/redirect/mcp/install?name=thing&config=${encodeURIComponent(JSON.stringify(entry))}`,
    ],
  ])('reads the install link %s', (link) => {
    expect(configs(` ${link}\n`)).toEqual({
      thing: stdio('npx', ['-y', 'thing@1.0.0'], { A: '1' }),
    });
  });

  it.each([
    ['{ "mcpServers": {\n  "a": { "command": "x" }\n  "b": {} } }', 3, 3, 'comma'],
    ['{ "mcpServers": { "a": {\n "command": NaN } } }', 2, 13, "isn't a JSON value"],
    ['{\n "mcpServers": {', 2, 17, 'missing'],
    ['{ "mcpServers": {},\n "mcpServers": {} }', 2, 2, 'twice'],
    ['[mcp_servers.a]\ncommand = ', 2, 11, 'TOML'],
    ['{ "mcpServers": 7 }', 1, 17, 'object of servers'],
    ['{ "unknown": true }', 1, 1, 'No servers'],
    ['[mcp_servers.a]\ncommand = "x"\nstartup_timeout_sec = nan\n', 1, 1, "isn't a number"],
    ['', 1, 1, 'empty'],
    ['cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=%7Bbad', 1, 1, 'link'],
    ['https://elsewhere.example/install?config=e30=', 1, 1, 'install link'],
  ])('T64: rejects %j with line and column', (text, line, column, words) => {
    const { entries, problems } = read(text);
    expect(entries).toEqual([]);
    expect(problems[0]).toMatchObject({
      line,
      column,
      message: expect.stringContaining(words) as string,
    });
  });

  it.each([
    '{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}',
    '{"result":{"tools":[{"name":"add"}]}}',
    '{"servers":[{"name":"todo","tools":[{"name":"add"}]}]}',
  ])('says of a list of tools what to add instead: %s', (text) => {
    const { entries, problems } = read(text, 'tools.json');
    expect(entries).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^This is a list of tools\..*Add the server/u),
    ]);
  });

  it('reads an entry that lists the tools it allows', () => {
    expect(configs('{"command":"node","tools":["*"]}')).toEqual({ mcp: stdio('node') });
  });

  it('skips an invalid entry with its line and keeps the others', () => {
    const { entries, skipped } = read(
      '{ "mcpServers": {\n "good": { "command": "x" },\n "socket": { "type": "ws", "url": "wss://x" },\n "empty": {},\n "bad": { "command": "x",\n   "args": 5 } } }',
    );
    expect(entries.map(({ name, line }) => [name, line])).toEqual([['good', 2]]);
    expect(skipped.map(({ name, problem }) => [name, problem.line])).toEqual([
      ['socket', 3],
      ['empty', 4],
      ['bad', 6],
    ]);
  });

  it.each([
    [
      'an object of depth 100,000',
      `{"mcpServers":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      'nested deeper',
    ],
    ['a list of depth 100,000 in TOML', `a = ${'['.repeat(100_000)}`, 'nested'],
    ['__proto__ as a server', '{"mcpServers":{"__proto__":{"command":"x"}}}', '__proto__'],
    [
      'an escaped __proto__ inside',
      '{"mcpServers":{"a":{"command":"x","env":{"\\u005f_proto__":"1"}}}}',
      '__proto__',
    ],
    ['__proto__ in TOML', '[mcp_servers.__proto__]\ncommand = "x"', '__proto__'],
    ['64 MB and more', ' '.repeat(maxServerFileLength + 1), 'larger than 64 MB'],
    ['17 MB of text', `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`, 'larger than 16 MB'],
    [
      '100,000 servers',
      JSON.stringify({
        mcpServers: Object.fromEntries(
          Array.from({ length: 100_000 }, (_, index) => [`s${index}`, { command: 'x' }]),
        ),
      }),
      'More than',
    ],
    [
      'a zip with a path outside its folder',
      bundleText({ 'manifest.json': manifest, '../../evil.sh': 'x' }),
      'outside',
    ],
    [
      'a zip with an absolute name',
      bundleText({ 'manifest.json': manifest, '/etc/cron.d/evil': 'x' }),
      'outside',
    ],
    [
      'a zip with a backslash path outside its folder',
      bundleText({ 'manifest.json': manifest, 'a\\..\\..\\evil': 'x' }),
      'outside',
    ],
    [
      'a zip bomb',
      bundleText({ 'manifest.json': ' '.repeat(30 * 1024 * 1024) }),
      'manifest.json is larger',
    ],
    ['a zip without a manifest', bundleText({ 'readme.md': 'x' }), 'no manifest.json'],
    [
      'a truncated zip',
      bundleText({ 'manifest.json': manifest }).slice(0, 200),
      "can't be unpacked",
    ],
  ])('T64: rejects %s', (_what, text, words) => {
    const { entries, problems } = read(text);
    expect(entries).toEqual([]);
    expect(problems[0]?.message).toContain(words);
    expect(({} as { command?: string }).command).toBeUndefined();
  });
});
