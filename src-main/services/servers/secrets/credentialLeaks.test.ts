import { readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createServices } from '../../../app/createServices.ts';
import type { Keychain } from '../../../adapters/secrets/keychain.ts';
import { createSecretVault } from '../../../adapters/secrets/secretVault.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../../testing/leakCheck.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

const canary = 'canary-7f3a9c51e2d84b06';
const options = { signal: new AbortController().signal };

/**
 * The names of the files under a folder that hold the canary, in any of the forms in which it could
 * be written.
 */
async function filesWith(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const forms = [
    canary,
    encodeURIComponent(canary),
    Buffer.from(canary).toString('base64').slice(0, 24),
  ];
  return names
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      return forms.some((form) => bytes.includes(form)) ? [entry.name] : [];
    });
}

function fakeKeychain(): Keychain & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    state: async () => ({ available: true, reason: null }),
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => values.set(name, value).has(name),
    remove: async (name) => values.delete(name),
  };
}

describe('T60: a credential in a server configuration', () => {
  it('is never in a file or an answer, from import to removal', async () => {
    await using folder = await temporaryFolder();
    const keychain = fakeKeychain();
    const opened = await createServices({
      host: 'cli',
      folder: join(folder.path, 'workspace'),
      vault: createSecretVault({ keychain, environment: {} }),
    });
    const { servers, settings } = opened.services;
    const answers: unknown[] = [];
    const keep = <T>(value: T): T => (answers.push(value), value);
    const refuse = (error: unknown): void =>
      void answers.push(
        error instanceof Error
          ? [error.message, 'data' in error ? error.data : null, String(error.cause)]
          : error,
      );
    try {
      const entry = (mode: string, extra: object = {}) => ({
        ...fakeStdioServer(mode),
        env: { API_KEY: canary },
        ...extra,
      });
      const text = JSON.stringify({
        mcpServers: {
          talker: entry('talkative', { note: { apiKey: canary } }),
          leaver: entry('talkative-exit'),
        },
      });
      const preview = keep(await servers.previewImport({ fileName: 'mcp.json', text }));
      expect(preview.entries.map(({ secrets }) => secrets)).toEqual([
        ['talker/API_KEY'],
        ['leaver/API_KEY'],
      ]);
      const { imported } = keep(
        await servers.import({ fileName: 'mcp.json', text, names: ['talker', 'leaver'] }),
      );
      const [talker, leaver] = imported;
      expect(keychain.values).toEqual(
        new Map([
          ['secret:talker/API_KEY', canary],
          ['secret:leaver/API_KEY', canary],
        ]),
      );
      expect(
        keep(await servers.previewImport({ fileName: 'mcp.json', text })).entries.map(
          ({ state }) => state,
        ),
      ).toEqual(['same', 'same']);
      expect(keep(await servers.check({ id: talker!.id }, options)).status).toBe('active');
      const listed = keep(await servers.refreshTools({ id: talker!.id }, options));
      expect(listed.tools[0]?.description).toBe('Uses [redacted].');
      const called = keep(
        await servers.callTool({ id: talker!.id, tool: 'environment', arguments: {} }, options),
      );
      expect(JSON.stringify(called)).toContain('[redacted]');
      const failed = keep(await servers.check({ id: leaver!.id }, options));
      expect(failed.statusReason).toContain('my key is [redacted]');
      await servers.refreshTools({ id: leaver!.id }, options).then(keep, refuse);
      keep(await servers.get({ id: talker!.id }));
      keep(await servers.list());
      for (const format of ['mcp.json', '.mcp.json', 'claude-desktop'] as const)
        keep(await servers.export({ ids: imported.map(({ id }) => id), format }));
      const changed = keep(
        await servers.update({
          id: leaver!.id,
          name: 'leaver',
          config: fakeStdioServer('normal'),
          secrets: [],
        }),
      );
      expect(changed.config).toMatchObject({ env: {} });
      expect(keychain.values.has('secret:leaver/API_KEY')).toBe(false);
      const { token } = keep(await servers.remove({ id: talker!.id }));
      expect(keychain.values.size).toBe(0);
      await settings.undo({ token });
      expect(keep(await servers.get({ id: talker!.id })).variables).toMatchObject([
        { reference: '${secret:talker/API_KEY}', resolved: true, place: 'keychain' },
      ]);
    } finally {
      await opened.close();
    }
    expect(JSON.stringify(answers)).not.toContain(canary);
    expect(await filesWith(folder.path)).toEqual([]);
    // The sweep would find one that is there.
    await mkdir(join(folder.path, 'planted'));
    await writeFile(join(folder.path, 'planted', 'x.bin'), Buffer.from(`\0\0${canary}`));
    expect(await filesWith(folder.path)).toEqual(['x.bin']);
  });

  it.each(['get', 'set', 'remove'] as const)(
    'T61: survives a keychain that fails to %s',
    async (broken) => {
      const good = fakeKeychain();
      const vault = createSecretVault({
        keychain: { ...good, [broken]: async () => Promise.reject(new Error('locked')) },
        environment: { TOUCHSTONE_SECRET_S_ENV: 'from-outside' },
      });
      expect(await vault.set('s/a', 'one')).toBe(broken === 'set' ? 'memory' : 'keychain');
      if (broken !== 'get') expect(await vault.get('s/a')).toBe('one');
      expect([await vault.get('s/env'), await vault.place('s/env')]).toEqual([
        'from-outside',
        'environment',
      ]);
      await vault.remove('s/a');
      if (broken !== 'remove') expect(await vault.place('s/a')).toBeNull();
    },
  );
});
