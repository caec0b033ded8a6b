import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { Keychain } from '../../../adapters/secrets/keychain.ts';
import { createSecretVault, type SecretVault } from '../../../adapters/secrets/secretVault.ts';
import { createServices } from '../../../app/createServices.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { openDatabase } from '../../../store/database/openDatabase.ts';
import { backUp } from '../../../store/durability/backup.ts';
import { openStore } from '../../../store/store.ts';
import { expectNoLeaks } from '../../../testing/leakCheck.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';

afterEach(expectNoLeaks);

const canaries = [
  'CANARYurl1Zq8vK2mN4xR7',
  'CANARYarg2Zq8vK2mN4xR7',
  'CANARYenv3x',
  'CANARYext4x-deep',
  'CANARYold5Zq8vK2mN4xR7',
];
const [inUrl = '', inArgs = '', inEnv = '', inExtra = '', inOldText = ''] = canaries;
const local = {
  transport: 'stdio',
  command: 'npx',
  args: ['mcp-remote', 'https://x.example/mcp', '--header', `Authorization: Bearer ${inArgs}`],
  cwd: null,
  env: { DB_PASS: inEnv, LEVEL: 'info' },
} satisfies ServerConfig;
const remote = {
  transport: 'streamable-http',
  url: `https://mcp.example.com/mcp?exaApiKey=${inUrl}`,
  headers: {},
} satisfies ServerConfig;

/** A workspace as an earlier version left it: credentials in rows, free space, backup and log. */
function writePlain(folder: string): void {
  const file = join(folder, 'touchstone.sqlite');
  const db = openDatabase({
    file,
    migrationsFolder: programFiles.migrations,
    clock: systemClock,
    access: 'write',
  });
  let next = 0;
  const nextId = (): string => `server-${(next += 1)}`;
  const store = openStore(db, { clock: systemClock, nextId, redact: (text) => text });
  const origin = {
    format: 'claude-code' as const,
    inputs: [],
    values: {},
    extra: { oauth: { clientSecret: inExtra } },
  };
  const urlOf = (name: string): string => `plain:${name}:${inUrl}`;
  const made = store.servers.insert({ name: 'local', url: urlOf('local'), config: local, origin });
  store.servers.insert({ name: 'remote', url: remote.url, config: remote });
  store.servers.setStatus(made.id, { status: 'failed', statusReason: `It said ${inArgs}.` });
  // A longer row that was deleted leaves its text in the free space of the file.
  const old = store.servers.insert({
    name: 'old',
    url: 'stdio:old',
    config: { ...local, args: [`--token=${inOldText}`, 'x'.repeat(20_000)] },
  });
  backUp(db, store.schemaVersion, systemClock);
  store.servers.delete(old.id);
  db.prepare("DELETE FROM settings WHERE key = 'last:plainSecrets'").run();
  db.close();
  writeFileSync(join(folder, 'touchstone.log'), `1 info Server remote: ${remote.url} failed.\n`);
}

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
        /^4 credentials of 2 servers \(local, remote\) stood readable in the database and were moved to the key store\./,
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
      expect(opened.plainSecrets).toMatch(/^4 credentials .* stand readable .*no keychain/);
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
    expect(later.plainSecrets).toContain('were moved to the key store');
    await later.close();
    for (const canary of canaries) expect(filesWith(folder.path, canary)).toEqual([]);
  });

  it('are not looked for twice, and a new workspace says nothing', async () => {
    await using folder = await temporaryFolder();
    const { vault } = keychainVault();
    const opened = await createServices({ host: 'cli', folder: folder.path, vault });
    expect(opened.plainSecrets).toBeNull();
    await opened.close();
  });
});
