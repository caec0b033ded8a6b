import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '../../src-shared/domain/server.ts';
import { systemClock } from '../runtime/clock.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { backUp } from '../store/durability/backup.ts';
import { openStore } from '../store/store.ts';

/** What `writePlain` leaves readable: an address, an argument, a variable, an origin, a deleted row. */
export const canaries = [
  'CANARYurl1Zq8vK2mN4xR7',
  'CANARYarg2Zq8vK2mN4xR7',
  'CANARYenv3x',
  'CANARYext4x-deep',
  'CANARYold5Zq8vK2mN4xR7',
];
const [inUrl = '', inArgs = '', inEnv = '', inExtra = '', inOldText = ''] = canaries;
export const local = {
  transport: 'stdio',
  command: 'npx',
  args: ['mcp-remote', 'https://x.example/mcp', '--header', `Authorization: Bearer ${inArgs}`],
  cwd: null,
  env: { DB_PASS: inEnv, LEVEL: 'info' },
} satisfies ServerConfig;
export const remote = {
  transport: 'streamable-http',
  url: `https://mcp.example.com/mcp?exaApiKey=${inUrl}`,
  headers: {},
} satisfies ServerConfig;

/** A workspace as an earlier version left it: credentials in rows, free space, backup and log. */
export function writePlain(folder: string): void {
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
