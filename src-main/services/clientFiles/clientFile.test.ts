import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { addEntry, clientText } from './clientFile.ts';
import { workshopEntry } from '../workshop/workshopEntry.ts';
import { describeChange } from './clientFiles.ts';

const served = workshopEntry({
  command: '/opt/node',
  args: ['/opt/cli.js', 'workshop', 'serve', '--stdio'],
});
const entry = { command: served.command, args: served.args };
const add = (before: string | null, client: 'claude' | 'cursor' | 'vscode' = 'cursor') =>
  addEntry(before, client, served);
const textOf = (before: string, client?: 'claude' | 'cursor' | 'vscode'): string => {
  const changed = add(before, client);
  if (changed.act === null) throw new Error(changed.message);
  return changed.text;
};

describe('the configuration of a client', () => {
  it('has the shape that each client reads', () => {
    const table = { 'touchstone-workshop': entry };
    for (const client of ['claude', 'cursor'] as const)
      expect(JSON.parse(clientText(client, served))).toEqual({ mcpServers: table });
    expect(JSON.parse(clientText('vscode', served))).toEqual({
      servers: { 'touchstone-workshop': { type: 'stdio', ...entry } },
    });
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
