import { suite, type Suite } from '../../../src-shared/domain/testCase.ts';
import { namingConflicts, notFound } from '../database/conflict.ts';
import { json, readRow, requireRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';

export type NewSuite = Pick<Suite, 'name' | 'system' | 'messages' | 'servers'>;

export interface SuiteStore {
  /** By name. */
  list(): Suite[];
  get(id: string): Suite | null;
  getByName(name: string): Suite | null;
  insert(content: NewSuite): Suite;
  update(id: string, content: NewSuite): Suite;
  /**
   * Takes the suite's cases with it: read them first where they are to come back. NOT_FOUND where
   * there is none.
   */
  delete(id: string): Suite;
  /**
   * Puts a deleted suite back as it was, without its cases; CONFLICT where its name has been taken
   * since.
   */
  restore(suite: Suite): void;
}

interface SuiteRow {
  id: string;
  name: string;
  system: string | null;
  messages: string;
  servers: string;
  created_at: string;
  updated_at: string;
}

const selected =
  'SELECT s.*, (SELECT count(*) FROM test_cases c WHERE c.suite_id = s.id) AS case_count FROM suites s';

export function openSuites({ db, clock, nextId, transaction }: StoreContext): SuiteStore {
  type Found = SuiteRow & { case_count: number };
  const all = db.prepare<[], Found>(`${selected} ORDER BY s.name COLLATE NOCASE, s.name`);
  const byId = db.prepare<[string], Found>(`${selected} WHERE s.id = ?`);
  const byName = db.prepare<[string], Found>(`${selected} WHERE s.name = ?`);
  const insert = db.prepare<
    [SuiteRow]
  >(`INSERT INTO suites (id, name, system, messages, servers, created_at, updated_at)
    VALUES (:id, :name, :system, :messages, :servers, :created_at, :updated_at)`);
  const update = db.prepare<
    [SuiteRow]
  >(`UPDATE suites SET name = :name, system = :system, messages = :messages, servers = :servers,
    updated_at = :updated_at WHERE id = :id`);
  const remove = db.prepare<[string]>('DELETE FROM suites WHERE id = ?');

  const read = (row: Found | undefined) => (row === undefined ? null : readSuite(row));
  const save = (statement: typeof insert, row: SuiteRow) => {
    namingConflicts(
      `The suite ${row.name}`,
      {
        'suites.name': () => ({
          thing: `The suite ${row.name}`,
          cause: 'Another suite has this name.',
          nextStep: 'Choose another name.',
          field: 'name',
        }),
        'suites.id': () => ({
          thing: `The suite ${row.name}`,
          cause: 'It is there already.',
          nextStep: 'Reload the list.',
        }),
      },
      () => statement.run(row),
    );
    return readSuite(requireRow(byId.get(row.id)));
  };

  return {
    list: () => all.all().map(readSuite),
    get: (id) => read(byId.get(id)),
    getByName: (name) => read(byName.get(name)),
    insert: (content) =>
      transaction(() => {
        const at = clock.now();
        return save(insert, toRow(content, nextId(), at, at));
      }),
    update: (id, content) =>
      transaction(() => {
        const old = byId.get(id);
        if (old === undefined) throw notFound('Suite', id);
        return save(update, toRow(content, id, old.created_at, clock.now()));
      }),
    delete: (id) =>
      transaction(() => {
        const old = read(byId.get(id));
        if (old === null) throw notFound('Suite', id);
        remove.run(id);
        return old;
      }),
    restore: (value) =>
      transaction(() => {
        save(insert, toRow(value, value.id, value.createdAt, value.updatedAt));
      }),
  };
}

function readSuite(row: SuiteRow & { case_count: number }): Suite {
  return readRow(suite, `The suite ${row.name} (${row.id})`, () => ({
    id: row.id,
    name: row.name,
    system: row.system,
    messages: json(row.messages),
    servers: json(row.servers),
    caseCount: row.case_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

function toRow(content: NewSuite, id: string, createdAt: string, updatedAt: string): SuiteRow {
  return {
    id,
    name: content.name,
    system: content.system,
    messages: JSON.stringify(content.messages),
    servers: JSON.stringify(content.servers),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
