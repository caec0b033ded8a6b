import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseToml } from 'smol-toml';
import type { McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { addEntry, clientText } from './clientFile.ts';
import { workshopEntry } from '../workshop/workshopEntry.ts';
import { describeChange } from './clientFiles.ts';

const served = workshopEntry({
  command: '/opt/node',
  args: ['/opt/cli.js', 'workshop', 'serve', '--stdio'],
});
const entry = { command: served.command, args: served.args };
const add = (before: string | null, client: McpClient = 'cursor') =>
  addEntry(before, client, served);
const textOf = (before: string, client?: McpClient): string => {
  const changed = add(before, client);
  if (changed.act === null) throw new Error(changed.message);
  return changed.text;
};

describe('the configuration of a client', () => {
  it('has the shape that each client reads', () => {
    const table = { 'touchstone-workshop': entry };
    for (const client of [
      ...(['claude', 'cursor', 'gemini-cli', 'qwen-code', 'cline', 'windsurf'] as const),
    ])
      expect(JSON.parse(clientText(client, served))).toEqual({ mcpServers: table });
    expect(JSON.parse(clientText('vscode', served))).toEqual({
      servers: { 'touchstone-workshop': { type: 'stdio', ...entry } },
    });
    expect(JSON.parse(clientText('claude-code', served))).toEqual({
      mcpServers: { 'touchstone-workshop': { type: 'stdio', ...entry } },
    });
    const command = [entry.command, ...entry.args];
    expect(JSON.parse(clientText('opencode', served))).toEqual({
      mcp: { 'touchstone-workshop': { type: 'local', command, enabled: true } },
    });
    expect(parseToml(clientText('codex', served))).toEqual({ mcp_servers: table });
  });

  it.each([null, '', '  \n'])('is a file of its own where there is none: %j', (before) => {
    expect(add(before)).toEqual({ act: 'create', text: clientText('cursor', served) });
  });

  it('keeps comments, other entries, order, indentation and line ends', () => {
    const before =
      '// mine\r\n{\r\n\t"theme": "dark", // not light\r\n\t"mcpServers": {\r\n\t\t/* the shop */\r\n\t\t"shop": { "command": "npx", "env": { "KEY": "k" } },\r\n\t},\r\n\t"last": [1, 2,]\r\n}\r\n';
    const after = textOf(before);
    const added =
      '\t\t"touchstone-workshop": {\r\n\t\t\t"command": "/opt/node",\r\n\t\t\t"args": [\r\n\t\t\t\t"/opt/cli.js",\r\n\t\t\t\t"workshop",\r\n\t\t\t\t"serve",\r\n\t\t\t\t"--stdio"\r\n\t\t\t]\r\n\t\t},\r\n';
    expect(after.replace(added, '')).toBe(before);
    expect(after).not.toMatch(/[^\r]\n/);
    expect(parse(after, [], { allowTrailingComma: true })).toEqual({
      theme: 'dark',
      mcpServers: { shop: { command: 'npx', env: { KEY: 'k' } }, 'touchstone-workshop': entry },
      last: [1, 2],
    });
  });

  it('adds the table of servers next to other settings, and keeps a byte order mark', () => {
    const after = textOf('\ufeff{\n  "a": 1\n}\n', 'vscode');
    expect(after.startsWith('\ufeff{\n  "servers": {\n    "touchstone-workshop": {\n')).toBe(true);
    expect(after.endsWith('    }\n  },\n  "a": 1\n}\n')).toBe(true);
  });

  it.each([
    ['{}', `{"mcpServers":{"touchstone-workshop":${JSON.stringify(entry)}}}`],
    ['{"mcpServers":{}}', `{"mcpServers":{"touchstone-workshop":${JSON.stringify(entry)}}}`],
    ['{\n}\n', `${JSON.stringify({ mcpServers: { 'touchstone-workshop': entry } }, null, 2)}\n`],
    [
      '{\n  "mcpServers": { }\n}\n',
      `${JSON.stringify({ mcpServers: { 'touchstone-workshop': entry } }, null, 2).replace('\n  }\n}', '\n   }\n}')}\n`,
    ],
  ])('fills an empty object as it is laid out: %j', (before, after) => {
    expect(textOf(before)).toBe(after);
  });

  it.each([
    '{ // c\n}',
    '{\n  "mcpServers": { /* none */ }\n}',
    '{\n  "mcpServers": {\n    // none\n  }\n}',
  ])('keeps the comment of an empty object: %j', (before) => {
    const after = textOf(before);
    expect(after).toMatch(/\/\/ c|none/);
    expect(parse(after)).toEqual({ mcpServers: { 'touchstone-workshop': entry } });
  });

  it('changes nothing where the entry is there already', () => {
    const before = textOf('{}');
    expect(add(before)).toEqual({ act: 'same', text: before });
  });

  it('updates an older entry of its own and keeps what a person added to it', () => {
    const before = JSON.stringify({
      mcpServers: {
        'touchstone-workshop': {
          command: 'node',
          args: ['/old/cli.js', 'workshop', 'serve', '--stdio'],
          env: { API_KEY: 'mine' },
        },
      },
    });
    expect(add(before).act).toBe('replace');
    expect(JSON.parse(textOf(before))).toEqual({
      mcpServers: { 'touchstone-workshop': { ...entry, env: { API_KEY: 'mine' } } },
    });
  });

  it.each([
    ['{\n  "mcpServers": {\n    "a": {"command": }\n  }\n}', 3, 22, /value is missing/],
    ['{\n  "mcpServers": {', 2, 18, /closing/],
    ['[]', 1, 1, /object/],
    ['{ "mcpServers": [] }', 1, 17, /object of servers/],
    ['{ "mcpServers": { "a": {}, "a": {} } }', 1, 28, /twice/],
    [
      '{ "mcpServers": {\n "touchstone-workshop": { "url": "https://host.test" } } }',
      2,
      25,
      /Another server/,
    ],
  ])('refuses %j with line %i and column %i', (before, line, column, message) => {
    expect(add(before)).toEqual({
      act: null,
      line,
      column,
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('the configuration of opencode', () => {
  it('updates the list of command and arguments, and keeps what a person added', () => {
    const old = {
      ...{ type: 'local', enabled: false, environment: { KEY: 'k' } },
      command: ['node', '/old/cli.js', 'workshop', 'serve', '--stdio'],
    };
    const before = JSON.stringify({ mcp: { 'touchstone-workshop': old } });
    expect(add(before, 'opencode').act).toBe('replace');
    expect(JSON.parse(textOf(before, 'opencode'))).toEqual({
      mcp: {
        'touchstone-workshop': {
          ...{ type: 'local', enabled: true, environment: { KEY: 'k' } },
          command: [entry.command, ...entry.args],
        },
      },
    });
    expect(add('{"mcp":{"touchstone-workshop":{"command":["uvx"]}}}', 'opencode')).toMatchObject({
      act: null,
      message: expect.stringContaining('Another server') as string,
    });
  });
});

describe('the configuration of Codex', () => {
  const own = `[mcp_servers.touchstone-workshop]
command = "node" # mine
args = [
  "/old/cli.js", # of another version
  "workshop", "serve",
]
startup_timeout_sec = 20

[mcp_servers.touchstone-workshop.env]
KEY = "k"

# the next one
[mcp_servers.shop]
command = 'npx'
`;
  const shop = { command: 'npx' };

  it('gets the entry at its end, and keeps every byte before it', () => {
    const before = '\ufeff# mine\r\nmodel = "gpt-5"\r\n\r\n[mcp_servers."a.b"]\r\nurl = "u"';
    const after = textOf(before, 'codex');
    expect(after.startsWith(`${before}\r\n\r\n[mcp_servers.touchstone-workshop]\r\n`)).toBe(true);
    expect(after).not.toMatch(/[^\r]\n/);
    expect(parseToml(after.slice(1))).toEqual({
      model: 'gpt-5',
      mcp_servers: { 'a.b': { url: 'u' }, 'touchstone-workshop': entry },
    });
    expect(add(after, 'codex')).toEqual({ act: 'same', text: after });
  });

  it('updates an older entry in its place, and keeps what a person added to it', () => {
    const after = textOf(own, 'codex');
    expect(add(own, 'codex').act).toBe('replace');
    expect(after).toContain('startup_timeout_sec = 20\n');
    expect(after.slice(after.indexOf('[mcp_servers.touchstone-workshop.env]'))).toBe(
      own.slice(own.indexOf('[mcp_servers.touchstone-workshop.env]')),
    );
    expect(parseToml(after)).toEqual({
      mcp_servers: {
        'touchstone-workshop': { ...entry, startup_timeout_sec: 20, env: { KEY: 'k' } },
        shop,
      },
    });
  });

  it('takes the place of a whole entry with its tables', () => {
    const whole = { ...served, isOwn: () => false, replacesOthers: true };
    const changed = addEntry(own, 'codex', whole);
    expect(changed.act).toBe('replace');
    if (changed.act === null) return;
    expect(parseToml(changed.text)).toEqual({
      mcp_servers: { 'touchstone-workshop': entry, shop },
    });
    expect(changed.text).toContain('\n# the next one\n');
  });

  it.each([
    ['a = ', 1, /TOML/],
    ['mcp_servers = [1]', null, /table of servers/],
    ['mcp_servers = { shop = { command = "npx" } }', null, /by hand/],
    ['[mcp_servers.touchstone-workshop]\nurl = "u"', 1, /Another server/],
  ])('refuses %j', (before, line, message) => {
    const refused = add(before, 'codex');
    expect(refused).toMatchObject({ act: null, line });
    expect('message' in refused && refused.message).toMatch(message);
  });

  it('masks values and comments in the preview', () => {
    const before = '# key sk-1\n[mcp_servers.shop.env]\nKEY = \'sk-2\' # sk-3\nOTHER = "sk-4"\n';
    const change = describeChange(before, textOf(before, 'codex'), [served.name, served.command]);
    expect(JSON.stringify(change)).not.toContain('sk-');
    expect(change.added).toContain('[mcp_servers.touchstone-workshop]');
  });
});

describe('the preview of a change', () => {
  it('shows the new lines and masks values of other entries and comments', () => {
    const before =
      '{\n  "mcpServers": {\n    "shop": {\n      "env": {\n        "KEY": "sk-1234" // or sk-5678\n      }\n    }\n  }\n}\n';
    const change = describeChange(before, textOf(before), [served.command, ...served.args]);
    expect(change).toMatchObject({
      line: 1,
      above: ['{', '  "mcpServers": {'],
      removed: [],
      below: ['    "shop": {', '      "env": {'],
    });
    expect(change.added).toEqual([
      '    "touchstone-workshop": {',
      '      "command": "/opt/node",',
      '      "args": [',
      '        "/opt/cli.js",',
      '        "workshop",',
      '        "serve",',
      '        "--stdio"',
      '      ]',
      '    },',
    ]);
  });

  it('masks values of other entries in a file of one line', () => {
    const before = '{"mcpServers":{"shop":{"command":"npx","env":{"KEY":"sk-1234"}}}}';
    const change = describeChange(before, textOf(before), [served.command, ...served.args]);
    expect(JSON.stringify(change)).not.toContain('sk-1234');
    expect(change.removed).toEqual(['{"mcpServers":{"shop":{"command":"…","env":{"KEY":"…"}}}}']);
  });

  it('shows a new file as added lines', () => {
    expect(describeChange('', '{\n}\n', [])).toMatchObject({ removed: [], added: ['{', '}', ''] });
  });
});
