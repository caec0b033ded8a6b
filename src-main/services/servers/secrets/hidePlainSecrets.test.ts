import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Keychain } from '../../../adapters/secrets/keychain.ts';
import { createSecretVault, type SecretVault } from '../../../adapters/secrets/secretVault.ts';
import { createServices } from '../../../app/createServices.ts';
import { expectNoLeaks } from '../../../testing/leakCheck.ts';
import { canaries, local, remote, writePlain } from '../../../testing/plainWorkspace.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

const [inUrl = '', inArgs = '', inEnv = '', inExtra = ''] = canaries;

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) =>
      readFileSync(join(entry.parentPath, entry.name)).includes(text) ? [entry.name] : [],
    );
}

function keychainVault(): { vault: SecretVault; values: Map<string, string> } {
  const values = new Map<string, string>();
  const keychain: Keychain = {
    state: async () => ({ available: true, reason: null }),
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => values.set(name, value).has(name),
    remove: async (name) => values.delete(name),
  };
  return { values, vault: createSecretVault({ keychain, environment: {} }) };
}

describe('credentials in the database of an earlier version', () => {
  it('move to the key store at the first start, and leave no file that holds them', async () => {
    await using folder = await temporaryFolder();
    writePlain(folder.path);
    for (const canary of canaries) expect(filesWith(folder.path, canary)).not.toEqual([]);
    const { vault, values } = keychainVault();
    const opened = await createServices({ host: 'cli', folder: folder.path, vault });
    try {
      expect(opened.plainSecrets).toMatch(
        /^4 credentials of 2 servers \(local, remote\) were readable in the database and are in the key store now\./,
      );
      expect((await opened.services.settings.info()).plainSecrets).toBe(opened.plainSecrets);
      expect((await opened.services.servers.list()).map(({ config }) => config)).toEqual([
        {
          ...local,
          args: [...local.args.slice(0, 3), 'Authorization: Bearer ${secret:local/Authorization}'],
          env: { DB_PASS: '${secret:local/DB_PASS}', LEVEL: 'info' },
        },
        { ...remote, url: 'https://mcp.example.com/mcp?exaApiKey=${secret:remote/exaApiKey}' },
      ]);
      expect(Object.fromEntries(values)).toMatchObject({
        'secret:local/Authorization': inArgs,
        'secret:local/DB_PASS': inEnv,
        'secret:local/clientSecret': inExtra,
        'secret:remote/exaApiKey': inUrl,
      });
      // While the workspace is open, its journal is there too.
      for (const canary of canaries) expect(filesWith(folder.path, canary)).toEqual([]);
    } finally {
      await opened.close();
    }
    for (const canary of canaries) expect(filesWith(folder.path, canary)).toEqual([]);
    const again = await createServices({ host: 'cli', folder: folder.path, vault });
    expect(again.plainSecrets).toBeNull();
    await again.close();
  });

  it('stay, and are neither listed nor exported, while only memory would keep them', async () => {
    await using folder = await temporaryFolder();
    writePlain(folder.path);
    const vault = createSecretVault({ environment: {} });
    const opened = await createServices({ host: 'cli', folder: folder.path, vault });
    try {
      expect(opened.plainSecrets).toMatch(
        /^4 credentials .* are readable in the database\. There is no keychain .*Turn on the encrypted file/,
      );
      const { servers } = opened.services;
      const listed = await servers.list();
      expect(listed.map(({ url }) => url).join()).not.toContain('CANARY');
      expect(listed.map(({ config }) => config)).toEqual([local, remote]);
      const ids = listed.map(({ id }) => id);
      expect((await servers.export({ ids, format: 'mcp.json' })).text).not.toContain('CANARY');
    } finally {
      await opened.close();
    }
    // As soon as there is a place that keeps them, they move.
    const later = await createServices({
      host: 'cli',
      folder: folder.path,
      vault: keychainVault().vault,
    });
    expect(later.plainSecrets).toContain('are in the key store now');
    await later.close();
    for (const canary of canaries) expect(filesWith(folder.path, canary)).toEqual([]);
  });

  it.each(['turned on', 'unlocked'])(
    'move in an open window when the encrypted file is %s',
    async (how) => {
      await using folder = await temporaryFolder();
      const open = () =>
        createServices({
          host: 'loopback',
          folder: folder.path,
          environment: { TOUCHSTONE_KEYCHAIN: 'off' },
        });
      const passphrase = 'correct horse battery';
      if (how === 'unlocked') {
        const first = await open();
        await first.services.keys.useFile({ passphrase });
        await first.close();
      }
      writePlain(folder.path);
      const opened = await open();
      const { keys, servers, settings } = opened.services;
      try {
        expect(opened.plainSecrets).toContain(
          how === 'unlocked'
            ? 'The key file is locked. Unlock the file under Settings'
            : 'Turn on the encrypted file under Settings',
        );
        await (how === 'unlocked' ? keys.unlock({ passphrase }) : keys.useFile({ passphrase }));
        expect((await settings.info()).plainSecrets).toContain('are in the key store now');
        expect((await servers.list()).find(({ name }) => name === 'local')?.config).toMatchObject({
          env: { DB_PASS: '${secret:local/DB_PASS}', LEVEL: 'info' },
        });
        // A second time finds nothing, and keeps the note.
        await keys.unlock({ passphrase });
        expect((await settings.info()).plainSecrets).toContain('are in the key store now');
      } finally {
        await opened.close();
      }
      for (const canary of canaries) expect(filesWith(folder.path, canary)).toEqual([]);
    },
  );

  it('are not looked for twice, and a new workspace says nothing', async () => {
    await using folder = await temporaryFolder();
    const { vault } = keychainVault();
    const opened = await createServices({ host: 'cli', folder: folder.path, vault });
    expect(opened.plainSecrets).toBeNull();
    await opened.close();
  });
});
