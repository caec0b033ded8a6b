import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameOfConfig } from './serverName.ts';

const stdio = (line: string, cwd: string | null = null) => {
  const [command = '', ...args] = line.split(' ');
  return nameOfConfig({ transport: 'stdio', command, args, cwd, env: {} });
};

// Commands and addresses as the documentation of the servers gives them.
it.each([
  ['npx -y @modelcontextprotocol/server-filesystem /data', 'filesystem'],
  ['npx -y @modelcontextprotocol/server-everything@2025.9.1 stdio', 'everything'],
  ['npx @playwright/mcp@latest', 'playwright'],
  ['npx -y --package=@upstash/context7-mcp context7-mcp', 'context7'],
  ['npx --package @scope/tool-mcp run-it', 'tool'],
  ['npm exec -- @notionhq/notion-mcp-server', 'notion'],
  ['pnpm dlx firecrawl-mcp', 'firecrawl'],
  ['bunx mcp-server-kubernetes', 'kubernetes'],
  ['uvx mcp-server-git --repository .', 'git'],
  ['uvx --from git+https://example.com/x serena start-mcp-server', 'serena'],
  ['uvx mcp-server-time==1.0.0', 'time'],
  ['uv --directory /home/me/weather run weather.py', 'weather'],
  ['python -m mcp_server_fetch', 'fetch'],
  ['python3 /srv/tools/invoices.py', 'invoices'],
  ['docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server', 'github'],
  ['docker run -i --rm --mount type=bind,src=/a,dst=/a mcp/filesystem:1.2', 'filesystem'],
  ['node /home/me/shop/dist/index.js', 'shop'],
  ['node C:\\work\\shop\\build\\index.js', 'shop'],
  ['node --import tsx src/server.ts --db x', 'server'],
  ['/usr/local/bin/github-mcp-server stdio', 'github'],
  ['./bin/todo.exe', 'todo'],
  ['deno run --allow-net server.ts', 'server'],
  ['java -jar /opt/crm-server.jar', 'crm'],
  ['cmd /c npx -y tavily-mcp', 'tavily'],
])('names the server of "%s" %s', (line, name) => {
  expect(stdio(line)).toBe(name);
});

it('takes the folder of the command where its words say nothing', () => {
  expect(stdio('node dist/index.js', '/home/me/shop')).toBe('shop');
  expect(stdio('npm start', '/home/me/shop')).toBe('shop');
  expect(stdio('go run .', '/home/me/shop')).toBe('shop');
});

it.each([
  ['https://mcp.linear.app/sse', 'linear'],
  ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
  ['https://gitmcp.io/docs', 'gitmcp'],
  ['http://127.0.0.1:8930/mcp', '127.0.0.1-8930'],
  ['http://localhost/mcp', 'localhost'],
  ['http://[::1]:9000/mcp', '1-9000'],
  ['not an address', 'server'],
])('names the server at %s %s', (url, name) => {
  expect(nameOfConfig({ transport: 'streamable-http', url, headers: {} })).toBe(name);
});

it('names a folder of skills by its last part', () => {
  expect(nameOfConfig({ transport: 'skills', folder: '/home/me/skills/' })).toBe('skills');
});

it('never gives an empty name, a colon or a control character', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), (words) => {
      const [command = '', ...args] = words;
      const name = nameOfConfig({ transport: 'stdio', command, args, cwd: null, env: {} });
      expect(name).toMatch(/^[^:\p{Cc}]{1,100}$/u);
    }),
  );
});
