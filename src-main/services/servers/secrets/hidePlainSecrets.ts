import { nextStepHere } from '../../../runtime/window.ts';
import { existsSync, readFileSync } from 'node:fs';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { serverConfig } from '../../../../src-shared/domain/server.ts';
import { serverOrigin } from '../../../../src-shared/domain/serverImport.ts';
import { passphraseVariable } from '../../../adapters/secrets/secretFile.ts';
import type { SecretVault } from '../../../adapters/secrets/secretVault.ts';
import type { ReadableDatabase } from '../../../store/database/database.ts';
import { writeDurably } from '../../../store/durability/durableFile.ts';
import { rewriteBackups, type BackupCopy } from '../../../store/durability/backup.ts';
import type { StoredServer } from '../../../store/servers/servers.ts';
import type { Store } from '../../../store/store.ts';
import { serverUrl } from '../serverUrl.ts';
import { extractSecrets, secretNames, type ExtractedServer } from './extractSecrets.ts';

/** Raised when credentials are recognized that were not before: workspaces are searched again. */
const scan = 'done:2';

export interface HidePlainParts {
  db: ReadableDatabase;
  store: Store;
  vault: SecretVault;
  /** Takes out the values that the vault was given. */
  redact: (text: string) => string;
  /** Files of the program's log. */
  logs: readonly string[];
}

export interface HiddenPlain {
  /** What a person should know; null if nothing was found. */
  note: string | null;
  /** True if the database was rewritten: once it is closed, its journal is gone too. */
  rewritten: boolean;
}

type Content = Pick<StoredServer, 'name' | 'config' | 'origin'>;

/**
 * Searches the servers of a workspace that an earlier version wrote, once, for credentials that stand
 * in its database, and moves them to the key store. Nothing is moved if only this session's memory
 * would keep them. Afterwards the plain text is neither in the rows nor in the free space of the
 * database, nor in its backups, nor in the log.
 */
export async function hidePlainSecrets(parts: HidePlainParts): Promise<HiddenPlain> {
  const { db, store } = parts;
  const before = store.settings.recall('plainSecrets');
  if (before === scan) return { note: null, rewritten: false };
  const found = await findPlain(store.servers.list(), parts.vault);
  if (found.length === 0 && before === null) {
    store.settings.remember('plainSecrets', scan);
    return { note: null, rewritten: false };
  }
  const total = found.reduce((sum, { hidden }) => sum + hidden.values.size, 0);
  const what =
    `${counted(total, 'credential')} of ${counted(found.length, 'server')} ` +
    `(${found.map(({ server }) => server.name).join(', ')})`;
  const isOne = total === 1;
  if (!(await keep(found, parts.vault))) {
    const problem = (await parts.vault.problem?.()) ?? null;
    const [reason, step] =
      problem === null
        ? [
            'There is no keychain and no encrypted file that keeps them.',
            `Turn on the encrypted file${nextStepHere({ window: ' under Settings', terminal: ' of keys' })}`,
          ]
        : [
            problem.text,
            problem.locked
              ? `${nextStepHere({ window: 'Unlock the file under Settings, or set', terminal: 'Set' })} ${passphraseVariable}`
              : 'Start Touchstone again after that',
          ];
    return {
      note:
        `${what} ${isOne ? 'is' : 'are'} readable in the database. ${reason} ` +
        `${step}, and Touchstone moves ${isOne ? 'it' : 'them'} there.`,
      rewritten: false,
    };
  }
  // The file is rewritten as a whole, and no journal may keep the values.
  db.session?.checkNow();
  db.pragma('secure_delete = ON');
  store.transaction(() => {
    for (const { server, hidden } of found) {
      store.servers.update(server.id, contentOf(server, hidden));
      // Texts are redacted when they are written.
      const { status, statusReason } = server;
      store.servers.setStatus(server.id, { status, statusReason });
    }
    store.trash.clear();
    store.settings.remember('plainSecrets', 'moved');
  });
  const left = await removeTraces(parts);
  if (left.length === 0) store.settings.remember('plainSecrets', scan);
  const moved =
    total === 0
      ? ''
      : `${what} ${isOne ? 'was' : 'were'} readable in the database and ${isOne ? 'is' : 'are'} in the key store now. ` +
        `If anyone else has a copy of the database, replace ${isOne ? 'it' : 'them'} where ${isOne ? 'it is' : 'they are'} valid. ` +
        'If a value isn’t secret, enter it in its server again and mark it as not secret. ';
  const rest =
    left.length === 0
      ? ''
      : `They are still readable in ${left.join(' and ')}. Touchstone tries again at its next start; or delete ${left.length > 1 ? 'these files' : 'this file'}.`;
  return { note: `${moved}${rest}`.trim() || null, rewritten: true };
}

interface Found {
  server: StoredServer;
  hidden: ExtractedServer;
}

async function findPlain(servers: readonly StoredServer[], vault: SecretVault): Promise<Found[]> {
  const found: Found[] = [];
  for (const server of servers) {
    const taken = new Set(servers.flatMap(({ config }) => secretNames(config)));
    const hidden = await extractFree(server, vault, taken);
    if (hidden.values.size > 0) found.push({ server, hidden });
  }
  return found;
}

/** The names of its secrets are not those of other values in the vault. */
async function extractFree(
  { name, config, origin }: Content,
  vault: SecretVault,
  taken: Set<string>,
): Promise<ExtractedServer> {
  for (;;) {
    const hidden = extractSecrets(config, origin?.extra ?? {}, { server: name, taken });
    const places = await Promise.all(
      [...hidden.values].map(async ([secret, value]) => {
        const known = await vault.get(secret);
        return known === null || known === value ? [] : [secret];
      }),
    );
    const used = places.flat();
    if (used.length === 0) return hidden;
    for (const secret of used) taken.add(secret);
  }
}

/** False, and nothing is kept, if the vault would keep a value in memory only. */
async function keep(found: readonly Found[], vault: SecretVault): Promise<boolean> {
  const kept: string[] = [];
  for (const [name, value] of found.flatMap(({ hidden }) => [...hidden.values])) {
    const place = await vault.set(name, value);
    kept.push(name);
    if (place !== 'memory') continue;
    for (const each of kept) await vault.remove(each);
    return false;
  }
  return true;
}

const contentOf = ({ name, origin }: Content, { config, extra }: ExtractedServer) => ({
  name,
  url: serverUrl(config),
  config,
  origin: origin === null ? null : { ...origin, extra },
});

/** Files in which the values may still be read. */
async function removeTraces({ db, vault, redact, logs }: HidePlainParts): Promise<string[]> {
  const left: string[] = [];
  try {
    db.exec('VACUUM');
    db.session?.afterCommit();
  } catch (error) {
    left.push(`the free space of ${db.name} (${errorText(error)})`);
  }
  left.push(...(await rewriteBackups(db.name, (backup) => hideInBackup(backup, vault))));
  for (const log of logs)
    try {
      const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
      const clean = redact(text);
      if (clean !== text) writeDurably(log, clean);
    } catch {
      left.push(log);
    }
  return left;
}

/** Rows of any earlier schema: the columns of a server are the same in all of them. */
async function hideInBackup(db: BackupCopy, vault: SecretVault): Promise<boolean> {
  const rows = db
    .prepare<[], { id: string; name: string; config: string; origin?: string | null }>(
      'SELECT * FROM mcp_servers',
    )
    .all();
  const taken = new Set(rows.flatMap(({ config }) => secretNames(config)));
  const found: {
    row: (typeof rows)[number];
    hidden: ExtractedServer;
    origin: JsonObject | null;
  }[] = [];
  for (const row of rows) {
    const config = serverConfig.parse(JSON.parse(row.config));
    const origin = row.origin == null ? null : serverOrigin.parse(JSON.parse(row.origin));
    const hidden = await extractFree({ name: row.name, config, origin }, vault, taken);
    if (hidden.values.size === 0) continue;
    for (const [name, value] of hidden.values)
      if ((await vault.get(name)) === null && (await vault.set(name, value)) === 'memory')
        throw new Error('Only memory would keep it.');
    found.push({ row, hidden, origin: origin && { ...origin, extra: hidden.extra } });
  }
  const hasTrash = db.prepare('DELETE FROM trash').run().changes > 0;
  for (const { row, hidden, origin } of found) {
    db.prepare('UPDATE mcp_servers SET url = ?, config = ?, status_reason = NULL WHERE id = ?').run(
      serverUrl(hidden.config),
      JSON.stringify(hidden.config),
      row.id,
    );
    if (origin !== null)
      db.prepare('UPDATE mcp_servers SET origin = ? WHERE id = ?').run(
        JSON.stringify(origin),
        row.id,
      );
  }
  return hasTrash || found.length > 0;
}
