import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { TodoStore } from './todoStore.ts';

const clock = { now: () => '2026-01-02T03:04:05.000Z' };
const lengths = 'A title has 1 to 255 characters, a description at most 1000.';

test('the database refuses titles and descriptions that are too short or too long', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'todo.sqlite');
  const store = new TodoStore(file, clock);
  const { id } = store.add('ann', '\0'.repeat(255), '😀'.repeat(1000));
  store.close();

  const db = new Sqlite(file);
  const add = db.prepare(
    "INSERT INTO todos (user_id, title, description, created_at, updated_at) VALUES ('ann', ?, ?, '', '')",
  );
  for (const [title, description] of [
    ['', null],
    ['x'.repeat(256), null],
    ['\0'.repeat(1021), null],
    ['x', 'y'.repeat(1001)],
  ])
    expect(() => add.run(title, description)).toThrow(lengths);
  expect(() => db.prepare('UPDATE todos SET title = ? WHERE id = ?').run('', id)).toThrow(lengths);
  expect(() =>
    db.prepare('UPDATE todos SET description = ? WHERE id = ?').run('y'.repeat(1001), id),
  ).toThrow(lengths);
  expect(db.prepare('SELECT count(*) FROM todos').pluck().get()).toBe(1);
  db.close();
});

test('a file of an earlier version gets the limits when it is opened', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'todo.sqlite');
  new TodoStore(file, clock).list('ann');
  const db = new Sqlite(file);
  db.exec('DROP TRIGGER todos_lengths_0; DROP TRIGGER todos_lengths_1;');
  const store = new TodoStore(file, clock);
  store.list('ann');
  expect(() => store.add('ann', '', null)).toThrow(lengths);
  store.close();
  db.close();
});
