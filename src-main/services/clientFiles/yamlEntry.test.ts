import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { readServerFile } from '../servers/import/readServerFile.ts';
import { workshopEntry } from '../workshop/workshopEntry.ts';
import { addEntry, clientText } from './clientFile.ts';
import { describeChange } from './clientFiles.ts';

const served = workshopEntry({
  command: '/opt/node',
  args: ['/opt/cli.js', 'workshop', 'serve', '--stdio'],
});
const entry = { name: 'touchstone-workshop', command: served.command, args: [...served.args] };
const added = [
  '- name: "touchstone-workshop"',
  '  command: "/opt/node"',
  '  args: ["/opt/cli.js", "workshop", "serve", "--stdio"]',
];
/** @param isOther whether it takes the place of an entry that isn't its own */
const add = (before: string, isOther = false, client: McpClient = 'continue') =>
  addEntry(before, client, {
    ...served,
    ...(isOther && { isOwn: () => false, replacesOthers: true }),
  });
function textOf(before: string, isOther = false, client?: McpClient): string {
  const changed = add(before, isOther, client);
  if (changed.act === null) throw new Error(changed.message);
  return changed.text;
}
const head = 'name: mine # not yours\nversion: 1.0.0\n';
const lines = (indent: string, eol = '\n'): string =>
  added.map((line) => `${indent}${line}${eol}`).join('');

describe('the configuration of Continue', () => {
  it('has the name, version and schema that Continue requires', () => {
    expect(parse(clientText('continue', served))).toEqual({
      ...{ name: 'Local Config', version: '1.0.0', schema: 'v1' },
      mcpServers: [entry],
    });
    expect(textOf('')).toBe(clientText('continue', served));
  });

  it.each([
    ['without a list', head, `${head}mcpServers:\n${lines('  ')}`],
    [
      'with a list, in front of its first comment',
      `${head}mcpServers: # of mine\n  # the shop\n  - name: shop\n    command: npx # x\nmodels: []\n`,
      `${head}mcpServers: # of mine\n${lines('  ')}  # the shop\n  - name: shop\n    command: npx # x\nmodels: []\n`,
    ],
    [
      'with a list that isn’t indented, and line ends of Windows',
      'mcpServers:\r\n- name: shop\r\n  command: npx\r\nmodels: []\r\n',
      `mcpServers:\r\n${lines('', '\r\n')}- name: shop\r\n  command: npx\r\nmodels: []\r\n`,
    ],
    ['with an empty list', `mcpServers: []\n${head}`, `mcpServers:\n${lines('  ')}${head}`],
    ['with nothing in the list', `mcpServers:\n${head}`, `mcpServers:\n${lines('  ')}${head}`],
    [
      'with a list in brackets',
      'mcpServers: [{name: shop, command: npx}]\n',
      `mcpServers: [${JSON.stringify(entry).replaceAll('","', '", "')}, {name: shop, command: npx}]\n`,
    ],
    ['that doesn’t end with a line end', 'name: x', `name: x\nmcpServers:\n${lines('  ')}`],
  ])('gets the entry into a file %s, and changes nothing else', (_name, before, after) => {
    expect(textOf(before)).toBe(after);
    expect(add(after)).toEqual({ act: 'same', text: after });
  });

  const older = `${head}mcpServers:
  - name: shop
    command: npx
  # the workshop
  - name: touchstone-workshop
    command: node
    args:
      - /old/cli.js
      - workshop
      - serve
      - --stdio
    env:
      KEY: k # kept
  - name: last
    command: uvx
`;

  it('updates its own entry and keeps what a person added to it', () => {
    const after = textOf(older);
    expect(add(older).act).toBe('replace');
    expect(after).toBe(
      older.replace(
        /    command: node\n    args:\n(?:      - .*\n)+/,
        added
          .slice(1)
          .map((line) => `  ${line}\n`)
          .join(''),
      ),
    );
  });

  it('takes the place of a whole entry', () => {
    const after = textOf(older, true);
    expect(parse(after)).toMatchObject({
      mcpServers: [{ name: 'shop' }, entry, { name: 'last', command: 'uvx' }],
    });
    expect(after).toContain('  # the workshop\n  - name: "touchstone-workshop"\n');
    expect(after).not.toContain('kept');
  });

  it('updates an entry in braces', () => {
    const before =
      'mcpServers: [{name: touchstone-workshop, command: node, args: [a.js, workshop, serve, --stdio], env: {K: v}}, {name: b}]\n';
    expect(parse(textOf(before))).toEqual({
      mcpServers: [{ ...entry, env: { K: 'v' } }, { name: 'b' }],
    });
  });

  it.each([
    ['name: [', 1, /./],
    ['- a\n', 1, /mapping/],
    ['mcpServers: {}\n', 1, /list of servers/],
    ['{"name": "a"}\n', 1, /by hand/],
    ['mcpServers:\n  - name: touchstone-workshop\n    url: u\n', 2, /Another server/],
    ['a: &a [{name: b}]\nmcpServers: *a\n', 2, /by hand/],
  ])('refuses %j', (before, line, message) => {
    const refused = add(before);
    expect(refused).toMatchObject({ act: null, line });
    expect('message' in refused && refused.message).toMatch(message);
  });

  it('masks values and comments in the preview, with and without quotes', () => {
    const before =
      'models:\n  - apiKey: sk-1 # sk-2\n    text: |\n      sk-3\n    "x y": "sk-4"\nmcpServers:\n  - env: { A: sk-5 }\n    url: sk-6\n';
    const change = describeChange(
      before,
      textOf(before),
      [served.name, served.command, ...served.args],
      true,
    );
    expect(JSON.stringify(change)).not.toContain('sk-');
    expect(change.added).toEqual(added.map((line) => `  ${line}`));
    const whole = describeChange(before, '', [], true);
    expect(whole.removed.slice(0, 3)).toEqual(['models:', '  - apiKey: "…"', '    text: "…"']);
    expect(JSON.stringify(whole)).not.toContain('sk-');
  });
});

describe('the configuration of goose', () => {
  const { name, ...start } = { name: entry.name, cmd: entry.command, args: entry.args };
  const extension = { type: 'stdio', name, enabled: true, ...start };
  const block = [
    'touchstone-workshop:',
    '  type: "stdio"',
    '  name: "touchstone-workshop"',
    '  enabled: true',
    '  cmd: "/opt/node"',
    '  args: ["/opt/cli.js", "workshop", "serve", "--stdio"]',
  ];
  const written = (indent: string, eol = '\n'): string =>
    block.map((line) => `${indent}${line}${eol}`).join('');
  const memory = 'memory: # built in\n    type: builtin\n    enabled: true\n';

  it('is read back as the server that it starts', () => {
    const text = clientText('goose', served);
    expect(parse(text)).toEqual({ extensions: { 'touchstone-workshop': extension } });
    expect(JSON.stringify(readServerFile({ fileName: 'config.yaml', text }))).toContain(
      '"command":"/opt/node"',
    );
  });

  it.each([
    ['without extensions', 'a: 1 # x\n', `a: 1 # x\nextensions:\n${written('  ')}`],
    [
      'with extensions, in front of their first comment',
      `extensions: # mine\n  # the memory\n  ${memory}a: 1\n`,
      `extensions: # mine\n${written('  ')}  # the memory\n  ${memory}a: 1\n`,
    ],
    [
      'with line ends of Windows',
      'extensions:\r\n    a:\r\n        type: builtin\r\n',
      `extensions:\r\n${written('    ', '\r\n')}    a:\r\n        type: builtin\r\n`,
    ],
    ['with empty extensions', 'extensions: {}\na: 1\n', `extensions:\n${written('  ')}a: 1\n`],
    ['with nothing in them', 'extensions:\na: 1\n', `extensions:\n${written('  ')}a: 1\n`],
    [
      'with extensions in braces',
      'extensions: {a: {type: builtin}} # x\n',
      `extensions: {touchstone-workshop: ${JSON.stringify(extension).replaceAll('","', '", "')}, a: {type: builtin}} # x\n`,
    ],
  ])('gets the entry into a file %s, and changes nothing else', (_name, before, after) => {
    expect(textOf(before, false, 'goose')).toBe(after);
    expect(add(after, false, 'goose')).toEqual({ act: 'same', text: after });
  });

  const older = `extensions:
  # the workshop
  touchstone-workshop:
    type: stdio
    name: touchstone-workshop
    enabled: true
    cmd: node # of the system
    args:
      - /old/cli.js
      - workshop
      - serve
    envs:
      KEY: k # kept
    timeout: 20
  ${memory}`;

  it('updates its own entry and keeps what a person added to it', () => {
    expect(add(older, false, 'goose').act).toBe('replace');
    expect(textOf(older, false, 'goose')).toBe(
      older
        .replace('cmd: node', 'cmd: "/opt/node"')
        .replace(/    args:\n(?:      - .*\n)+/, `  ${block.at(-1) ?? ''}\n`),
    );
  });

  it('takes the place of a whole entry', () => {
    const after = textOf(older, true, 'goose');
    expect(parse(after)).toEqual({
      extensions: {
        'touchstone-workshop': extension,
        memory: { type: 'builtin', enabled: true },
      },
    });
    expect(after).toContain('  # the workshop\n  touchstone-workshop:\n');
    expect(after).toContain(memory);
  });

  it('finds the entry of a server by the key that goose makes of its name', () => {
    const before = 'extensions:\n  my_shop:\n    type: stdio\n    cmd: npx\n    args: []\n';
    const shop = { ...served, name: 'My. Shop', isOwn: () => false, replacesOthers: true };
    const changed = addEntry(before, 'goose', shop);
    expect(changed.act !== null && parse(changed.text)).toEqual({
      extensions: { my_shop: { ...extension, name: 'My. Shop' } },
    });
    const yes = addEntry(null, 'goose', { ...shop, name: 'yes' });
    expect(yes.act !== null && yes.text).toContain('\n  "yes":\n');
  });

  it.each([
    ['extensions: [', 1, /./],
    ['extensions: []\n', 1, /table of servers/],
    ['{"extensions": {}}\n', 1, /by hand/],
    ['extensions:\n  touchstone-workshop:\n    uri: u\n', 3, /Another server/],
    ['a: &a {b: {type: builtin}}\nextensions: *a\n', 2, /by hand/],
  ])('refuses %j', (before, line, message) => {
    const refused = add(before, false, 'goose');
    expect(refused).toMatchObject({ act: null, line });
    expect('message' in refused && refused.message).toMatch(message);
  });

  it('shows its own lines in the preview, and masks those of others', () => {
    const before = 'extensions:\n  a:\n    envs: { A: sk-1 }\n    enabled: true\n';
    const change = describeChange(
      before,
      textOf(before, false, 'goose'),
      [served.name, served.command, ...served.args, 'stdio'],
      true,
    );
    expect(JSON.stringify(change)).not.toContain('sk-');
    expect(change.added).toEqual(block.map((line) => `  ${line}`));
  });
});
