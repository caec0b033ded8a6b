import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { at, local, remote, signedIn, start, token } from './clientSamples.fixture.ts';
import { readServerFile } from './readServerFile.ts';

const read = (file: JsonValue, files: Record<string, string> = {}) => {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  return readServerFile({ fileName: 'settings.json', text, files });
};
/** Each server as it is registered, with the paths of what isn't carried. */
const servers = (file: JsonValue, files?: Record<string, string>) => {
  const { entries, problems } = read(file, files);
  expect(problems).toEqual([]);
  return Object.fromEntries(
    entries.map(({ name, config, notCarried }) => [
      name,
      {
        ...config,
        ...(notCarried.length > 0 && { notCarried }),
      },
    ]),
  );
};
describe('settings that several clients write differently', () => {
  it.each<[JsonValue]>([
    [{ ...at, headers: { Authorization: token } }],
    [{ ...at, http_headers: { Authorization: token } }],
    [{ ...at, requestInit: { headers: { Authorization: token } } }],
    [{ ...at, request_options: { headers: { Authorization: token } } }],
    [{ ...at, transport: { type: 'streamable-http', headers: { Authorization: token } } }],
    [
      {
        transport: {
          type: 'http',
          url: remote.url,
          requestInit: { headers: { Authorization: token } },
        },
      },
    ],
    [{ config: { url: remote.url, headers: { Authorization: token } } }],
    [{ ...at, headers: [{ name: 'Authorization', value: token }] }],
    [{ ...at, headers: [{ key: 'Authorization', value: token }] }],
    [{ ...at, headers: [`Authorization: ${token}`] }],
    [{ ...at, headers: `Authorization: ${token}` }],
    [{ ...at, authorization: token }],
    [{ ...at, authorization: 'T0KENVALUE123' }],
    [{ ...at, authorization_token: 'T0KENVALUE123' }],
    [{ ...at, bearer_token: 'T0KENVALUE123' }],
    [{ ...at, bearerToken: 'T0KENVALUE123' }],
    [{ ...at, token: 'T0KENVALUE123' }],
    [{ ...at, access_token: 'T0KENVALUE123' }],
    [{ ...at, auth: 'T0KENVALUE123' }],
    [{ ...at, auth: { type: 'bearer', token: 'T0KENVALUE123' } }],
    [{ ...at, authentication: { scheme: 'bearer', value: 'T0KENVALUE123' } }],
    [{ ...at, auth_type: 'bearer', auth_token: 'T0KENVALUE123' }],
    [{ ...at, api_token: 'T0KENVALUE123' }],
    [{ ...at, pat: 'T0KENVALUE123' }],
    [{ ...at, oauth: { accessToken: 'T0KENVALUE123' } }],
    [{ ...at, credentials: { token: 'T0KENVALUE123' } }],
    [{ ...at, security: { apiKey: 'T0KENVALUE123' } }],
    [{ ...at, fetchOptions: { headers: { Authorization: token } } }],
    [{ ...at, request: { headers: { Authorization: token } } }],
    [{ ...at, extraHeaders: { Authorization: token } }],
    [{ ...at, default_headers: { Authorization: token } }],
    [{ params: { url: remote.url, headers: { Authorization: token } } }],
    [{ endpointUrl: remote.url, headers: { Authorization: token } }],
    [
      {
        type: 'remote',
        transportType: 'streamable-http',
        uri: remote.url,
        headers: { Authorization: token },
      },
    ],
    [{ type: 'Http', baseUrl: remote.url, headers: { Authorization: token } }],
    [{ type: 'http-stream', endpoint: remote.url, headers: { Authorization: token } }],
  ])('signs in with %j', (entry) => {
    expect(servers({ mcpServers: { a: entry } })).toEqual({ a: signedIn });
  });

  it.each<[JsonValue, Record<string, string>]>([
    [{ ...at, bearer_token_env_var: 'TOK' }, { Authorization: 'Bearer ${TOK}' }],
    [{ ...at, bearerTokenEnvVar: 'TOK' }, { Authorization: 'Bearer ${TOK}' }],
    [
      { ...at, auth: { type: 'basic', username: 'me', password: 'pw' } },
      { Authorization: 'Basic bWU6cHc=' },
    ],
    [{ ...at, username: 'me', password: 'pw' }, { Authorization: 'Basic bWU6cHc=' }],
    [{ ...at, basicAuth: { username: 'me', password: 'pw' } }, { Authorization: 'Basic bWU6cHc=' }],
    [
      { ...at, auth: { basic: { username: 'me', password: 'pw' } } },
      { Authorization: 'Basic bWU6cHc=' },
    ],
    [{ ...at, cookies: { a: '1', b: '2' } }, { Cookie: 'a=1; b=2' }],
    [{ ...at, cookie: 'a=1' }, { Cookie: 'a=1' }],
    [{ ...at, auth: { type: 'api_key', header: 'X-Key', value: 'k' } }, { 'X-Key': 'k' }],
    [{ ...at, env_http_headers: { 'X-Key': 'TOK' } }, { 'X-Key': '${TOK}' }],
    [
      { ...at, headers: { Authorization: 'Bearer {{TOKEN}}' } },
      { Authorization: 'Bearer ${input:TOKEN}' },
    ],
  ])('signs in with %j in its own way', (entry, headers) => {
    expect(servers({ mcpServers: { a: entry } })).toEqual({ a: { ...remote, headers } });
  });

  it('keeps a header and says that the sign-in repeats it', () => {
    const { entries } = read({
      mcpServers: { a: { ...at, headers: { authorization: token }, token: 'other' } },
    });
    expect(entries).toMatchObject([
      {
        config: { headers: { authorization: token } },
        warnings: [expect.stringContaining('twice')],
      },
    ]);
  });

  it('leaves a sign-in that it can’t carry among what isn’t carried', () => {
    expect(
      servers({
        mcpServers: {
          a: { ...at, auth: 'oauth' },
          b: { ...at, username: '${U}', password: '${P}' },
        },
      }),
    ).toEqual({
      a: { ...remote, notCarried: ['auth'] },
      b: { ...remote, notCarried: ['username', 'password'] },
    });
  });

  it.each<[JsonValue, Record<string, string>]>([
    [{ env: { A: 1, B: true } }, { A: '1', B: 'true' }],
    [{ envs: { A: '1' } }, { A: '1' }],
    [{ environment: { A: '1' } }, { A: '1' }],
    [{ environment_variables: { A: '1' } }, { A: '1' }],
    [{ env: ['A=1', 'B=x=y'] }, { A: '1', B: 'x=y' }],
    [{ env: [{ name: 'A', value: '1' }] }, { A: '1' }],
    [{ env: ['A'] }, { A: '${A}' }],
    [{ env_keys: ['A'] }, { A: '${A}' }],
    [{ pass_env: ['A'] }, { A: '${A}' }],
    [{ secrets: ['A'] }, { A: '${A}' }],
    [{ secrets: { A: '1' } }, { A: '1' }],
    [
      { variables: { A: '1' }, extra_env: { B: '2' } },
      { A: '1', B: '2' },
    ],
    [{ spawnOptions: { env: { A: '1' } } }, { A: '1' }],
    [{ env: { A: 'COPILOT_MCP_A' } }, { A: '${COPILOT_MCP_A}' }],
    [
      { env_vars: ['A', { name: 'B' }], env: { A: '1' } },
      { A: '1', B: '${B}' },
    ],
    [
      { env: { A: '1' }, envs: { A: '2', B: '3' } },
      { A: '1', B: '3' },
    ],
    [
      { env_file: '.env', env: { A: '1' } },
      { A: '1', KEY: 'k 1', URL: 'http://x/#a' },
    ],
  ])('reads the variables of %j', (settings, env) => {
    const files = { '.env': '# keys\nexport KEY="k 1" # one\nA=0\nURL=http://x/#a\n' };
    expect(servers({ mcpServers: { a: { ...start, ...(settings as object) } } }, files)).toEqual({
      a: { ...local, env },
    });
  });

  it.each<[string, string, string[]]>([
    ['npx -y shop-mcp', 'npx', ['-y', 'shop-mcp']],
    ['node "/opt/my server/index.js" --port=1', 'node', ['/opt/my server/index.js', '--port=1']],
    ['/usr/bin/node /opt/a.js', '/usr/bin/node', ['/opt/a.js']],
    ['uv run server.py', 'uv', ['run', 'server.py']],
    ['/Applications/My App/bin/server', '/Applications/My App/bin/server', []],
    ['C:\\Program Files\\nodejs\\node.exe', 'C:\\Program Files\\nodejs\\node.exe', []],
    ['C:\\node\\node.exe C:\\a.js', 'C:\\node\\node.exe', ['C:\\a.js']],
  ])('reads the command %s', (command, program, args) => {
    expect(servers({ mcpServers: { a: { command } } })).toEqual({
      a: { ...local, command: program, args },
    });
  });

  it('moves the default of an input that is a credential to the key store', () => {
    const { entries } = read({
      inputs: [
        { id: 'a', default: `ghp_${'a'.repeat(20)}` },
        { id: 'api-key', default: 'pw' },
        { id: 'mode', default: 'fast' },
      ],
      servers: { a: { ...start, env: { A: '${input:a} ${input:api-key} ${input:mode}' } } },
    });
    expect(entries[0]?.inputs.map(({ password }) => password)).toEqual([true, true, false]);
  });

  it.each<[JsonValue]>([
    [[{ name: 'a', command: 'npx', args: '-y "shop-mcp"' }]],
    [{ 'mcp.servers': { a: start } }],
    [[{ name: 'a', ...start }]],
    [[{ mcpServers: { a: start } }]],
    [{ servers: [{ id: 'a', ...start }] }],
    [{ mcpServers: [{ serverName: 'a', cmd: 'npx', args: local.args }] }],
    [{ a: start }],
    [{ name: 'a', ...start }],
    [{ mcp: { servers: { a: start } } }],
  ])('finds the server in %j', (file) => {
    expect(servers(file)).toEqual({ a: local });
  });

  it('reads the file that a plugin names, and asks for it otherwise', () => {
    const plugin = { name: 'my-plugin', version: '1.0.0', mcpServers: './.mcp.json' };
    expect(read(plugin)).toMatchObject({
      entries: [],
      named: ['./.mcp.json'],
      problems: [{ message: 'Its servers are in ./.mcp.json. Import that file.' }],
    });
    const files = { './.mcp.json': JSON.stringify({ mcpServers: { a: start } }) };
    expect(servers(plugin, files)).toEqual({ a: local });
  });

  it('keeps what isn’t carried for an export, without what was carried', () => {
    const { entries } = read({
      mcpServers: {
        a: { ...at, requestInit: { headers: { A: '1' }, keepalive: true }, description: 'x' },
      },
    });
    expect(entries).toMatchObject([
      { extra: { requestInit: { keepalive: true }, description: 'x' } },
    ]);
    expect(entries[0]?.extra).not.toHaveProperty('requestInit.headers');
  });
});
