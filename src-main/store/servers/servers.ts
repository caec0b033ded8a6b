import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { server, type ServerConfig, type ServerStatus } from '../../../src-shared/domain/server.ts';
import { serverOrigin, type ServerOrigin } from '../../../src-shared/domain/serverImport.ts';
import {
  namingConflicts,
  notFound,
  readRow,
  requireRow,
  defineTable,
  type Row,
} from '../database/table.ts';
import { openServerReferences, type CaseNaming } from './serverReferences.ts';
import type { StagedRename } from './serverRenames.ts';
import type { StoreContext } from '../storeContext.ts';

/** A stored server. Only the service knows whether a check is running. */
export const storedServer = server.omit({ checking: true }).extend({
  /** What is kept of the file that it was imported from. Null where it was entered by hand. */
  origin: serverOrigin.nullable().default(null),
});
export type StoredServer = z.infer<typeof storedServer>;

interface NewServer {
  name: string;
  /** The unique address; docs/rules.md §1. */
  url: string;
  config: ServerConfig;
  /** Left out by a change: stays as it is. */
  origin?: ServerOrigin | null;
}

interface StatusChange {
  status: ServerStatus;
  statusReason: string | null;
  /** Left out: stays as it is. */
  lastConnectedAt?: string;
}

const table = defineTable('mcp_servers', {
  id: 'text',
  name: 'text',
  url: 'text',
  config: 'json',
  status: 'text',
  statusReason: 'text?',
  toolsError: 'text?',
  lastConnectedAt: 'text?',
  createdAt: 'text',
  updatedAt: 'text',
  origin: 'json?',
});
type ServerRow = Row<typeof table>;

export function openServers(context: StoreContext) {
  const { db, clock, nextId, transaction } = context;
  const references = openServerReferences(context);
  const select = `SELECT ${table.columns} FROM mcp_servers`;
  const all = db.prepare<[], ServerRow>(`${select} ORDER BY name COLLATE NOCASE, name`);
  const byId = db.prepare<[string], ServerRow>(`${select} WHERE id = ?`);
  const byName = db.prepare<[string], ServerRow>(`${select} WHERE name = ?`);
  const nameByUrl = db
    .prepare<[string], string>('SELECT name FROM mcp_servers WHERE url = ?')
    .pluck();
  const insert = db.prepare<[ServerRow]>(table.insert());
  const update = db.prepare<[ServerRow]>(
    `UPDATE mcp_servers SET ${table.assignmentsExcept('id', 'createdAt')} WHERE id = :id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM mcp_servers WHERE id = ?');

  const read = (row: ServerRow | undefined) => (row === undefined ? null : readServer(row));
  const existing = (id: string) => {
    const found = read(byId.get(id));
    if (found === null) throw notFound('Server', id);
    return found;
  };
  const save = (statement: typeof insert, value: StoredServer) => {
    namingConflicts(
      `The server ${value.name}`,
      {
        'mcp_servers.name': () => ({
          thing: `The server ${value.name}`,
          cause: 'Another server has this name.',
          nextStep: 'Choose another name.',
          field: 'name',
        }),
        'mcp_servers.url': () => ({
          thing: `The server ${value.name}`,
          cause: `Its address is registered already, as ${nameByUrl.get(value.url) ?? 'another server'}.`,
          nextStep: 'Use that one, or change the address.',
          field: 'config',
        }),
        'mcp_servers.id': () => ({
          thing: `The server ${value.name}`,
          cause: 'It is there already.',
          nextStep: 'Reload the list.',
        }),
      },
      () => statement.run(table.toRow({ ...value, toolsError: value.toolsError ?? null })),
    );
    return readServer(requireRow(byId.get(value.id)));
  };

  return {
    /** Ordered by name. */
    list: (): StoredServer[] => all.all().map(readServer),
    get: (id: string): StoredServer | null => read(byId.get(id)),
    getByName: (name: string): StoredServer | null => read(byName.get(name)),
    insert: ({ name, url, config, origin = null }: NewServer): StoredServer =>
      transaction(() => {
        const at = clock.now();
        const fresh = {
          status: 'inactive',
          statusReason: null,
          toolsError: null,
          lastConnectedAt: null,
        } as const;
        return save(insert, {
          id: nextId(),
          name,
          url,
          config,
          ...fresh,
          createdAt: at,
          updatedAt: at,
          origin,
        });
      }),
    /**
     * A new name replaces the old one in every case and suite, in the same transaction. Where many cases
     * name it, `staged` has them with the new name.
     */
    update: (
      id: string,
      { name, url, config, origin }: NewServer,
      staged: StagedRename | null = null,
    ): StoredServer =>
      transaction(() => {
        const old = existing(id);
        const at = clock.now();
        const changed = save(update, {
          ...old,
          name,
          url,
          config,
          // Of another configuration, nothing is known.
          toolsError: isDeepStrictEqual(old.config, config) ? (old.toolsError ?? null) : null,
          updatedAt: at,
          origin: origin === undefined ? old.origin : origin,
        });
        if (old.name !== name) {
          const isStaged = staged?.from === old.name && staged.to === name;
          references.rename(old.name, name, at, isStaged ? staged.takeOver() : []);
        }
        return changed;
      }),
    /** Null where the server was deleted meanwhile: a late check must not fail. */
    setStatus: (
      id: string,
      { status, statusReason, lastConnectedAt }: StatusChange,
    ): StoredServer | null =>
      transaction(() => {
        const old = read(byId.get(id));
        if (old === null) return null;
        return save(update, {
          ...old,
          status,
          statusReason,
          lastConnectedAt: lastConnectedAt ?? old.lastConnectedAt,
          updatedAt: clock.now(),
        });
      }),
    /**
     * Why its tools could not be listed; null after a listing. Ignores a server that was deleted, and
     * the failed listing of one that can't be reached.
     */
    setToolsError: (id: string, toolsError: string | null): void =>
      transaction(() => {
        const old = read(byId.get(id));
        // When its check failed is when it was changed last, and says more than a failed listing.
        const isFailed = old?.status === 'failed' && toolsError !== null;
        if (old !== null && !isFailed && (old.toolsError ?? null) !== toolsError)
          save(update, { ...old, toolsError, updatedAt: clock.now() });
      }),
    /** Cases that offer its tools, directly or through their suite, or expect a call of one. */
    casesNaming: (name: string): CaseNaming[] => references.casesNaming(name),
    /** Also deletes its listings; cases keep its name. NOT_FOUND where there is none. */
    delete: (id: string): StoredServer =>
      transaction(() => {
        const old = existing(id);
        remove.run(id);
        return old;
      }),
    /** Restores a deleted server. CONFLICT where its name or address has been taken since. */
    restore: (value: StoredServer): void =>
      transaction(() => {
        save(insert, value);
      }),
  };
}

function readServer(row: ServerRow): StoredServer {
  return readRow(storedServer, `The server ${row.name} (${row.id})`, () => table.fromRow(row));
}
