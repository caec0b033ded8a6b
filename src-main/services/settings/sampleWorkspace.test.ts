import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programFiles } from '../../runtime/programFiles.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { SuitesService } from '../suites/suitesService.ts';
import { addSample } from './sampleWorkspace.ts';

const names = ({ store }: ReturnType<typeof createTestDatabase>) =>
  [store.servers.list(), store.suites.list()].map((list) => list.map(({ name }) => name));

const add = (database: ReturnType<typeof createTestDatabase>, datasets = programFiles.datasets) =>
  addSample(database.store, new SuitesService({ store: database.store }), datasets);

describe('the sample of a new workspace', () => {
  it('adds a server and its cases to an empty workspace', async () => {
    using database = createTestDatabase();
    await add(database);
    expect(names(database)).toEqual([['todo'], ['todo-sample']]);
    const [suite] = database.store.suites.list();
    expect(suite).toMatchObject({ servers: ['todo'] });
    expect(database.store.servers.casesNaming('todo')).toHaveLength(suite!.caseCount);
    expect(suite!.caseCount).toBeGreaterThanOrEqual(24);
    expect(database.store.servers.list()).toMatchObject([
      { url: 'stdio:touchstone serve-todo --stdio', status: 'inactive' },
    ]);
  });

  it('is not added again after a user deleted it', async () => {
    using database = createTestDatabase();
    await add(database);
    database.store.servers.delete(database.store.servers.list()[0]!.id);
    database.store.suites.delete(database.store.suites.list()[0]!.id);
    database.reopen();
    await add(database);
    expect(names(database)).toEqual([[], []]);
  });

  it('is not added to a workspace with content, now or later', async () => {
    using database = createTestDatabase();
    const { id } = database.store.suites.insert({
      name: 'mine',
      system: null,
      messages: [],
      servers: [],
    });
    await add(database);
    expect(names(database)).toEqual([[], ['mine']]);
    database.store.suites.delete(id);
    await add(database);
    expect(names(database)).toEqual([[], []]);
  });

  it('adds nothing when it cannot be read, and tries again at the next start', async () => {
    using database = createTestDatabase();
    const datasets = join(database.folder, 'datasets');
    await mkdir(join(datasets, 'sample'), { recursive: true });
    await writeFile(join(datasets, 'sample', 'todo-sample.suite.yaml'), 'version: 2\n');
    await expect(add(database, datasets)).rejects.toMatchObject({ code: 'INVALID' });
    expect(names(database)).toEqual([[], []]);
    await add(database);
    expect(names(database)).toEqual([['todo'], ['todo-sample']]);
  });
});
