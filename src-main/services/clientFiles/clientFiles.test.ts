import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpClients, type McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { readServerFile } from '../servers/import/readServerFile.ts';
import { readKnownFile } from '../servers/import/knownFiles.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestWorkshop, noSignal } from '../../testing/workshop.ts';

const other = '{\n  // mine\n  "mcpServers": {\n    "shop": { "command": "npx" }\n  }\n}\n';

async function open() {
  const folder = await temporaryFolder();
  const at = createTestWorkshop({ home: folder.path });
  const read = async (client: McpClient) => {
    const found = (await at.workshop.clients(undefined, noSignal)).find(
      (each) => each.client === client,
    );
    if (found === undefined) throw new Error(`${client} is not listed.`);
    return found;
  };
  return {
    home: folder.path,
    at,
    read,
    add: async (client: McpClient) =>
      at.workshop.addToClient({ client, revision: (await read(client)).revision }, noSignal),
    undo: (client: McpClient) => at.workshop.undoClient({ client }, noSignal),
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

describe('files of MCP clients', () => {
  it('says where each file would be created, and writes nothing to read that', async () => {
    await using files = await open();
    const all = await files.at.workshop.clients(undefined, noSignal);
    expect(all.map(({ client, file, exists, act }) => [client, file, exists, act])).toEqual([
      ['claude', join(files.home, '.config/Claude/claude_desktop_config.json'), false, 'create'],
      ['cursor', join(files.home, '.cursor/mcp.json'), false, 'create'],
      ['vscode', join(files.home, '.config/Code/User/mcp.json'), false, 'create'],
      ['claude-code', join(files.home, '.claude.json'), false, 'create'],
      ['codex', join(files.home, '.codex/config.toml'), false, 'create'],
      ['gemini-cli', join(files.home, '.gemini/settings.json'), false, 'create'],
      ['qwen-code', join(files.home, '.qwen/settings.json'), false, 'create'],
      ['opencode', join(files.home, '.config/opencode/opencode.json'), false, 'create'],
      ['cline', join(files.home, '.cline/data/settings/cline_mcp_settings.json'), false, 'create'],
      ['windsurf', join(files.home, '.codeium/windsurf/mcp_config.json'), false, 'create'],
      ['continue', join(files.home, '.continue/config.yaml'), false, 'create'],
      ['goose', join(files.home, '.config/goose/config.yaml'), false, 'create'],
    ]);
    expect(await readdir(files.home)).toEqual([]);
  });

  it('creates a file in a folder of its own, and removes it when that is undone', async () => {
    await using files = await open();
    const added = await files.add('cursor');
    expect(added).toMatchObject({ act: 'same', exists: true, undo: { backup: null } });
    expect(await readFile(added.file, 'utf8')).toBe(added.text);
    expect(await files.undo('cursor')).toMatchObject({ exists: false, act: 'create', undo: null });
  });

  it('backs a file up, and restores it byte for byte', async () => {
    await using files = await open();
    const { file } = await files.read('claude');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, other);
    await chmod(file, 0o600);
    const added = await files.add('claude');
    const backup = `${file}.touchstone-backup`;
    expect(added).toMatchObject({ act: 'same', undo: { backup } });
    expect(await readFile(backup, 'utf8')).toBe(other);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('// mine');
    expect(await files.undo('claude')).toMatchObject({ act: 'add', undo: null });
    expect(await readFile(file, 'utf8')).toBe(other);
    expect(await readdir(dirname(file))).toEqual(['claude_desktop_config.json']);
  });

  it('refuses to write over a change since the preview, and takes only the entry back after one since the write', async () => {
    await using files = await open();
    const { file, revision } = await files.read('cursor');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, other);
    await expect(
      files.at.workshop.addToClient({ client: 'cursor', revision }, noSignal),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readdir(dirname(file))).toEqual(['mcp.json']);
    await files.add('cursor');
    const edited = (await readFile(file, 'utf8')).replace('npx', 'uvx');
    await writeFile(file, edited);
    expect(await files.read('cursor')).toMatchObject({ act: 'same', undo: { isPart: true } });
    expect(await files.undo('cursor')).toMatchObject({ act: 'add', undo: null });
    expect(await readFile(file, 'utf8')).toBe(other.replace('npx', 'uvx'));
    expect(await readdir(dirname(file))).toEqual(['mcp.json']);
  });

  it.each(mcpClients)('adds to the file of %s, reads it back, and restores it', async (client) => {
    await using files = await open();
    const { file } = await files.read(client);
    const texts: Partial<Record<McpClient, string>> = {
      codex: '# mine\nmodel = "m"\n',
      continue: '# mine\nname: my config\nversion: 1.0.0\nschema: v1\n',
      goose:
        '# mine\nactive_provider: ollama\nextensions:\n  # mine, too\n  memory: { type: builtin, name: memory, enabled: true }\n',
    };
    const before = texts[client] ?? '{\n  // mine\n  "a": 1,\n}\n';
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, before);
    expect(await files.add(client)).toMatchObject({ act: 'same', change: null, problem: null });
    const { text } = await readKnownFile(
      { environment: {}, platform: 'linux', home: files.home },
      file,
    );
    const read = readServerFile({ fileName: file, text });
    expect(JSON.stringify(read)).toContain('touchstone-workshop');
    await files.undo(client);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('writes the file of an older extension of Cline while that is the only one, and the shared file else', async () => {
    await using files = await open();
    const shared = join(files.home, '.cline/data/settings/cline_mcp_settings.json');
    const older = join(
      files.home,
      '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    );
    await mkdir(dirname(older), { recursive: true });
    await writeFile(older, other);
    expect(await files.add('cline')).toMatchObject({ file: older, act: 'same' });
    expect(await files.undo('cline')).toMatchObject({ file: older, act: 'add', undo: null });
    expect(await readFile(older, 'utf8')).toBe(other);

    // The extension moves its entries when it is updated, with that of the gateway.
    const { text } = await files.add('cline');
    await mkdir(dirname(shared), { recursive: true });
    await writeFile(shared, await readFile(older, 'utf8'));
    expect(await files.read('cline')).toMatchObject({ file: shared, act: 'same' });
    expect(await files.undo('cline')).toMatchObject({ file: shared, act: 'add' });
    expect(await readFile(shared, 'utf8')).not.toContain('touchstone-workshop');
    expect(text).toContain('touchstone-workshop');
  });

  it('creates no config.yaml that would hide the config.json that Continue reads', async () => {
    await using files = await open();
    const { file, act } = await files.read('continue');
    expect(act).toBe('create');
    await mkdir(dirname(file), { recursive: true });
    const older = join(dirname(file), 'config.json');
    await writeFile(older, '{"models":[]}');
    expect(await files.read('continue')).toMatchObject({
      ...{ act: null, exists: false, undo: null },
      problem: { message: expect.stringContaining(older) as string, line: null },
    });
    await expect(files.add('continue')).rejects.toMatchObject({ code: 'INVALID' });
    expect(await readdir(dirname(file))).toEqual(['config.json']);
    await writeFile(file, 'name: mine\n');
    expect(await files.add('continue')).toMatchObject({ act: 'same' });
  });

  it('restores a file once where Undo is clicked twice, and says so', async () => {
    await using files = await open();
    const { file } = await files.read('cursor');
    await mkdir(dirname(file), { recursive: true });
    for (const before of [other, null]) {
      if (before === null) await rm(file);
      else await writeFile(file, before);
      await files.add('cursor');
      const [first, second] = await Promise.allSettled([
        files.undo('cursor'),
        files.undo('cursor'),
      ]);
      expect(first.status).toBe('fulfilled');
      expect(second).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'CONFLICT',
          data: { cause: expect.stringContaining('any more') as string },
        },
      });
      expect(await readFile(file, 'utf8').catch(() => null)).toBe(before);
    }
  });

  it('names line and column of a file that can’t be parsed, and leaves it alone', async () => {
    await using files = await open();
    const { file } = await files.read('cursor');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{\n  "mcpServers": {\n    oops\n');
    const broken = await files.read('cursor');
    expect(broken).toMatchObject({ act: null, problem: { line: 3, column: 5 }, change: null });
    await expect(files.add('cursor')).rejects.toMatchObject({ code: 'INVALID' });
    expect(await readdir(dirname(file))).toEqual(['mcp.json']);
  });

  it('leaves a file alone that may not be written, with the backup of an earlier change', async () => {
    await using files = await open();
    const { file } = await files.read('cursor');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, other);
    await chmod(file, 0o444);
    await expect(files.add('cursor')).rejects.toMatchObject({
      code: 'TROUBLE',
      data: { thing: file, cause: expect.stringContaining('read-only') as string },
    });
    expect(await readdir(dirname(file))).toEqual(['mcp.json']);
    await chmod(file, 0o644);
    await files.add('cursor');
    await chmod(file, 0o444);
    await expect(files.undo('cursor')).rejects.toMatchObject({ code: 'TROUBLE' });
    await chmod(file, 0o644);
    await files.undo('cursor');
    expect(await readFile(file, 'utf8')).toBe(other);
  });

  it.skipIf(process.platform === 'win32')(
    'writes through a symbolic link, and reports a folder in place of the file',
    async () => {
      await using files = await open();
      const { file } = await files.read('cursor');
      await mkdir(dirname(file), { recursive: true });
      await writeFile(join(files.home, 'dotfile.json'), other);
      await symlink(join(files.home, 'dotfile.json'), file);
      await files.add('cursor');
      expect(await readFile(join(files.home, 'dotfile.json'), 'utf8')).toContain(
        'touchstone-workshop',
      );
      const { file: folder } = await files.read('vscode');
      await mkdir(folder, { recursive: true });
      expect(await files.read('vscode')).toMatchObject({
        act: null,
        problem: { message: expect.stringContaining('folder') as string },
      });
    },
  );
});
