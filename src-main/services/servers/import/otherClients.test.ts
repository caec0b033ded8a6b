import { describe, expect, it } from 'vitest';
import { readServerFile } from './readServerFile.ts';

const read = (text: string, fileName = 'settings.json') => {
  const { entries, skipped, problems } = readServerFile({ fileName, text });
  expect(problems).toEqual([]);
  return { servers: entries.map(({ name, config }) => ({ name, ...config })), skipped };
};
const shop = {
  name: 'shop',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'shop-mcp'],
  env: { LEVEL: 'debug' },
  cwd: null,
};
const remote = {
  name: 'far',
  transport: 'streamable-http',
  url: 'https://mcp.example/mcp',
  headers: { 'X-Team': 'a' },
};
const far = { url: remote.url, headers: remote.headers };

describe('configurations of other clients', () => {
  it.each([
    [
      'Zed',
      JSON.stringify({
        theme: 'One',
        context_servers: {
          shop: { source: 'custom', command: 'npx', args: shop.args, env: shop.env },
          far,
        },
      }),
    ],
    [
      'an older Zed',
      JSON.stringify({
        context_servers: {
          shop: { command: { path: 'npx', args: shop.args, env: shop.env }, settings: {} },
          far,
        },
      }),
    ],
    [
      'opencode',
      JSON.stringify({
        mcp: {
          shop: { type: 'local', command: ['npx', ...shop.args], environment: shop.env },
          far: { type: 'remote', ...far, enabled: true },
        },
      }),
    ],
    [
      'Amp',
      JSON.stringify({
        'amp.mcpServers': { shop: { command: 'npx', args: shop.args, env: shop.env }, far },
      }),
    ],
  ])('reads the servers of %s', (_, text) => {
    expect(read(text)).toEqual({ servers: [shop, remote], skipped: [] });
  });

  it('reads the extensions of Goose as YAML, without those that are built in', () => {
    const text = `# goose
GOOSE_MODEL: a
extensions:
  shop:
    type: stdio
    cmd: npx
    args: [-y, shop-mcp]
    envs: { LEVEL: debug }
  far:
    type: streamable_http
    uri: https://mcp.example/mcp
    headers: { X-Team: a }
  developer:
    type: builtin
    name: developer
`;
    const { servers, skipped } = read(text, 'config.yaml');
    expect(servers).toEqual([shop, remote]);
    expect(skipped).toMatchObject([{ name: 'developer', problem: { line: 14 } }]);
  });

  it('reads the list of servers of Continue', () => {
    const text = `name: Local
mcpServers:
  - name: shop
    command: npx
    args: ['-y', shop-mcp]
    env:
      LEVEL: debug
  - name: far
    type: streamable-http
    url: https://mcp.example/mcp
    headers: { X-Team: a }
`;
    expect(read(text, 'config.yaml').servers).toEqual([shop, remote]);
  });

  it.each([
    [
      'Gemini CLI',
      { mcpServers: { a: { httpUrl: far.url, headers: { Key: 'Bearer $KEY' } } } },
      '${KEY}',
    ],
    [
      'opencode',
      { mcp: { a: { type: 'remote', url: far.url, headers: { Key: 'Bearer {env:KEY}' } } } },
      '${KEY}',
    ],
    [
      'Continue',
      { mcpServers: [{ name: 'a', url: far.url, headers: { Key: 'Bearer ${{ secrets.KEY }}' } }] },
      '${secret:KEY}',
    ],
  ])('keeps references of %s to variables', (_, file, reference) => {
    expect(read(JSON.stringify(file)).servers).toMatchObject([
      { headers: { Key: `Bearer ${reference}` } },
    ]);
  });

  it('says where YAML can’t be read', () => {
    const { problems } = readServerFile({ fileName: 'a.yaml', text: 'mcpServers:\n  a: [\n' });
    expect(problems[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
  });
});
