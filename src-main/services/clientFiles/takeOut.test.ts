import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml, stringify as writeToml } from 'smol-toml';
import { parse as parseYaml, stringify as writeYaml } from 'yaml';
import { describe, expect, it } from 'vitest';
import { mcpClients, type McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { clientFilesIn } from '../../testing/clientFilesIn.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { fileShapeOf } from '../servers/import/clients.ts';
import { addEntry, takeOut } from './clientFile.ts';

const entry = {
  ...{ name: 'todo', command: '/opt/node', args: ['gateway', 'todo'] },
  ...{ isOwn: () => false, replacesOthers: true },
};

const gone = 'The entry "todo" of Touchstone isn’t in it any more. Nothing was written.';

const syntaxOf = (client: McpClient) => fileShapeOf(client).syntax;

/** A file without the entry, one with another entry in its place, and what a client adds to it. */
function textsOf(client: McpClient): {
  without: string;
  earlier: string;
  add: (text: string) => string;
} {
  const { table, list } = fileShapeOf(client);
  if (syntaxOf(client) === 'toml')
    return {
      without: '# mine\nmodel = "m" # the fast one\n',
      earlier: `# mine\n[${table}.todo] # by address\nurl = 'http://127.0.0.1:1'\n[${table}.todo.env]\nA = "1" # one\n\n# the other one\n[${table}.shop]\ncommand = "npx"\n`,
      add: (text) => `${text}\n# theirs\n[projects."/work"]\ntrust_level = "trusted"\n`,
    };
  if (syntaxOf(client) === 'yaml')
    return {
      without: `# mine\nname: n # of mine\n${table}:\n  # the shop\n  ${list ? '- name: shop' : 'shop:'}\n    cmd: npx\n`,
      earlier: `# mine\n${table}:\n  ${list ? '- name: todo' : 'todo:'}\n    # by address\n    url: http://127.0.0.1:1 # local\n    env:\n      A: "1"\n  # the shop\n  ${list ? '- name: shop' : 'shop:'}\n    cmd: npx\n`,
      add: (text) => `# theirs\ntheme: dark\n${text}`,
    };
  return {
    without: `{\n  // mine\n  "a": 1,\n  "${table}": {\n    "shop": { "command": "npx" }, // the shop\n  },\n}\n`,
    earlier: `{\n  "${table}": {\n    /* first */\n    "todo": { "url": "http://127.0.0.1:1", /* local */ "b": [1,2] }, // by address\n    "shop": { "command": "npx" }\n  }\n}\n`,
    add: (text) => text.replace('{', '{\n  // theirs\n  "theme": "dark",'),
  };
}

/** The file as a client writes it anew, with settings of its own behind the others. */
function rewritten(client: McpClient, text: string, more: JsonObject = { numStartups: 1 }): string {
  return written(client, { ...valueOf(client, text), ...more });
}

function written(client: McpClient, value: JsonObject): string {
  if (syntaxOf(client) === 'toml') return writeToml(value);
  return syntaxOf(client) === 'yaml' ? writeYaml(value) : JSON.stringify(value, null, 2);
}

/** The file as a client writes it anew, with a member more in the entry. */
function withMember(client: McpClient, text: string, member: JsonObject): string {
  const { table } = fileShapeOf(client);
  const { [table]: servers = null, ...rest } = valueOf(client, text);
  const more = (one: JsonValue = null) => (isJsonObject(one) ? { ...one, ...member } : one);
  const changed = Array.isArray(servers)
    ? servers.map((one) => (isJsonObject(one) && one['name'] === 'todo' ? more(one) : one))
    : isJsonObject(servers)
      ? { ...servers, todo: more(servers['todo']) }
      : servers;
  return written(client, { ...rest, [table]: changed });
}

function valueOf(client: McpClient, text: string): JsonObject {
  if (syntaxOf(client) === 'toml') return parseToml(text) as JsonObject;
  return (
    syntaxOf(client) === 'yaml'
      ? parseYaml(text)
      : parseJson(text, [], { allowTrailingComma: true })
  ) as JsonObject;
}

async function open(client: McpClient, before: string | null) {
  const folder = await temporaryFolder();
  const files = clientFilesIn(folder.path);
  const { file } = await files.read(client);
  await mkdir(dirname(file), { recursive: true });
  if (before !== null) await writeFile(file, before);
  const { revision } = await files.read(client);
  await files.add(client, revision);
  return {
    ...{ files, file, home: folder.path },
    read: () => readFile(file, 'utf8'),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

describe.each(mcpClients)('undo in a file that %s has written to since', (client) => {
  const { without, earlier, add } = textsOf(client);

  it.each([
    ['takes the entry out', without],
    ['puts the entry of before back', earlier],
  ])('%s, and keeps every other byte', async (_title, before) => {
    await using at = await open(client, before);
    await writeFile(at.file, add(await at.read()));
    expect(await at.files.read(client)).toMatchObject({ undo: { isPart: true } });
    expect(await at.files.undo(client)).toMatchObject({ exists: true, undo: null });
    expect(await at.read()).toBe(add(before));
    expect(await readdir(dirname(at.file))).toHaveLength(1);
  });

  it.each([
    ['takes the entry out', without],
    ['puts the entry of before back', earlier],
  ])('%s of a file that was written anew', async (_title, before) => {
    await using at = await open(client, before);
    await writeFile(at.file, rewritten(client, await at.read()));
    await at.files.undo(client);
    expect(valueOf(client, await at.read())).toEqual({
      ...valueOf(client, before),
      numStartups: 1,
    });
  });

  it.each([
    ['takes the entry out', without],
    ['puts the entry of before back', earlier],
  ])('%s with what the client chose in it, and names that', async (_title, before) => {
    await using at = await open(client, before);
    const chosen = { timeout: 30, autoApprove: ['add_task'], description: '' };
    await writeFile(at.file, withMember(client, await at.read(), chosen));
    expect((await at.files.read(client)).undo).toMatchObject({
      isPart: true,
      choices: expect.arrayContaining(['timeout', 'autoApprove']) as string[],
    });
    await at.files.undo(client);
    expect(valueOf(client, await at.read())).toEqual(valueOf(client, before));
  });

  it('is refused where a person has added to the entry what no client chooses', async () => {
    await using at = await open(client, earlier);
    const edited = withMember(client, await at.read(), { env: { KEY: 'of-the-person' } });
    await writeFile(at.file, edited);
    await expect(at.files.undo(client)).rejects.toMatchObject({
      data: { cause: '"todo" was changed since it was added. Nothing was written.' },
    });
    expect(await at.read()).toBe(edited);
  });

  it.each([
    ['the file of before', earlier],
    ['no file', null],
  ])('leaves %s also after the entry was brought up to date', async (_title, before) => {
    await using at = await open(client, before);
    const newer = clientFilesIn(at.home, '/opt/newer');
    const { act, revision } = await newer.read(client);
    expect(act).toBe('replace');
    expect(await newer.add(client, revision)).toMatchObject({ act: 'same' });
    await newer.undo(client);
    expect(await at.read().catch(() => null)).toBe(before);
    expect(await readdir(dirname(at.file))).toHaveLength(before === null ? 0 : 1);
  });

  it('keeps what was written into a file that there was none of before', async () => {
    await using at = await open(client, null);
    const created = valueOf(client, await at.read());
    await writeFile(at.file, rewritten(client, await at.read()));
    await at.files.undo(client);
    const { [fileShapeOf(client).table]: _table, ...rest } = created;
    const { [fileShapeOf(client).table]: left = {}, ...kept } = valueOf(client, await at.read());
    expect(kept).toEqual({ ...rest, numStartups: 1 });
    expect(Object.keys(left ?? {})).toEqual([]);
  });

  it('removes a file that there was none of before if it was only laid out anew', async () => {
    await using at = await open(client, null);
    await writeFile(at.file, rewritten(client, await at.read(), {}));
    expect(await at.files.undo(client)).toMatchObject({ exists: false });
    expect(await readdir(dirname(at.file))).toEqual([]);
  });

  it('is refused where the entry itself was changed, with the backup', async () => {
    await using at = await open(client, without);
    const edited = (await at.read()).replace('/opt/node', '/opt/other');
    await writeFile(at.file, edited);
    expect(await at.files.read(client)).toMatchObject({ act: 'replace', undo: null });
    await expect(at.files.undo(client)).rejects.toMatchObject({
      code: 'CONFLICT',
      data: {
        cause: '"todo" was changed since it was added. Nothing was written.',
        nextStep: expect.stringContaining(`${at.file}.touchstone-backup`) as string,
      },
    });
    expect(await at.read()).toBe(edited);
  });

  it('is refused where it was taken back already, and keeps what is there', async () => {
    await using at = await open(client, earlier);
    await at.files.undo(client);
    await expect(at.files.undo(client)).rejects.toMatchObject({ data: { cause: gone } });
    expect(await at.read()).toBe(earlier);
  });

  it('is refused where the entry is gone', async () => {
    await using at = await open(client, without);
    await writeFile(at.file, add(without));
    await expect(at.files.undo(client)).rejects.toMatchObject({
      data: { cause: gone },
    });
    expect(await at.read()).toBe(add(without));
  });

  it('is refused where the file can’t be read', async () => {
    await using at = await open(client, without);
    await writeFile(at.file, '{ "a": [\n');
    await expect(at.files.undo(client)).rejects.toMatchObject({
      data: { cause: 'It can’t be read. Nothing was written.' },
    });
  });
});

describe('an entry that is taken out', () => {
  const own = JSON.stringify({ command: '/opt/node', args: ['gateway', 'todo'] });
  const taken = (now: string, client: McpClient = 'cursor', before: string | null = null) => {
    const done = takeOut(now, before, client, entry);
    return typeof done === 'string' ? done : done.text;
  };

  it.each([
    [`{"mcpServers":{"todo":${own},"a":{}}}`, '{"mcpServers":{"a":{}}}'],
    [`{"mcpServers":{"a":{},"todo":${own}}}`, '{"mcpServers":{"a":{}}}'],
    [`{"mcpServers":{"a":{}, "todo":${own}, }}`, '{"mcpServers":{"a":{}, }}'],
    [`{"mcpServers":{"a":{},"todo":${own},"b":{}}}`, '{"mcpServers":{"a":{},"b":{}}}'],
    [`{"x":1,"mcpServers":{"todo":${own}}}`, '{"x":1,"mcpServers":{}}'],
    [
      `{ "mcpServers": {\n  "a": {}, // of a, with a comma\n  // of todo\n  "todo": ${own}\n} }`,
      '{ "mcpServers": {\n  "a": {} // of a, with a comma\n  // of todo\n} }',
    ],
    [
      `{ "mcpServers": {\n  // first\n  "todo": ${own} /* x, y */ , "a": {} } }`,
      '{ "mcpServers": {\n  // first\n   /* x, y */  "a": {} } }',
    ],
    [
      `{ "mcpServers": {\r\n\t// only\r\n\t"todo": ${own}\r\n\t// last\r\n}, "x": 1 }`,
      '{ "mcpServers": {\r\n\t// only\r\n\t// last\r\n}, "x": 1 }',
    ],
  ])('leaves the commas and comments of JSON in order: %j', (now, left) => {
    expect(taken(now)).toBe(left);
  });

  it('goes with the table that was added for it, unless something else is in that', () => {
    const before = '{\n  "a": 1\n}\n';
    const added = addEntry(before, 'cursor', entry);
    if (added.act === null) throw new Error(added.message);
    const now = added.text.replace('"a": 1', '"a": 2');
    expect(taken(now, 'cursor', before)).toBe('{\n  "a": 2\n}\n');
    const noted = now.replace('"mcpServers": {', '"mcpServers": { // mine');
    expect(taken(noted, 'cursor', before)).toContain('"mcpServers": { // mine\n');
  });

  it.each<[McpClient, string, string]>([
    [
      'goose',
      'extensions: { a: {}, todo: { type: stdio, name: todo, enabled: true, cmd: /opt/node, args: [gateway, todo] } } # c\nx: 1\n',
      'extensions: { a: {} } # c\nx: 1\n',
    ],
    [
      'goose',
      'extensions: # c\n  # d\n  todo:\n    type: stdio\n    name: todo\n    enabled: true\n    cmd: /opt/node\n    args:\n    - gateway\n    - todo\nx: 1\n',
      'extensions: {} # c\n  # d\nx: 1\n',
    ],
    [
      'continue',
      'mcpServers:\n- name: todo\n  command: /opt/node\n  args: [gateway, todo]\n# of a\n- name: a\n  command: b\n',
      'mcpServers:\n# of a\n- name: a\n  command: b\n',
    ],
    [
      'codex',
      '[mcp_servers]\n[ mcp_servers."todo" ] # e\nargs = ["gateway", "todo"]\ncommand = "/opt/node"\r\n\r\n# of a\r\n[mcp_servers.a]\r\ncommand = "b"\r\n',
      '[mcp_servers]\n\r\n# of a\r\n[mcp_servers.a]\r\ncommand = "b"\r\n',
    ],
  ])('leaves the comments and line ends of %s in order', (client, now, left) => {
    expect(taken(now, client)).toBe(left);
  });

  it('gives its place to one that ended its file without a line end', () => {
    const before = '[mcp_servers.todo]\nurl = "u"';
    const added = addEntry(before, 'codex', entry);
    if (added.act === null) throw new Error(added.message);
    const more = '\n[projects."/work"]\ntrust_level = "trusted"\n';
    expect(taken(`${added.text}\n${more}`, 'codex', before)).toBe(`${before}\n${more}`);
  });

  it('stays where it can’t be taken out line by line', () => {
    const now =
      'mcp_servers = { todo = { command = "/opt/node", args = ["gateway", "todo"] }, a = { url = "u" } }\n';
    expect(taken(now, 'codex')).toBe('by hand');
  });
});
