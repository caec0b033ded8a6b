import Sqlite from 'better-sqlite3';
import { dirname } from 'node:path';
import { makeFolder } from '../../runtime/makeFolder.ts';
import { maxDescriptionLength, maxTitleLength } from './toolSchemas.ts';

export interface TodoClock {
  /** ISO 8601, UTC, milliseconds. */
  now(): string;
}

export interface Task {
  id: number;
  title: string;
  description: string | null;
  completed: boolean;
  user_id: string;
  created_at: string;
  updated_at: string;
}

type TaskRow = Omit<Task, 'completed'> & { completed: 0 | 1 };

/**
 * True where a text has too many characters. length() of SQLite ends at a NUL, which is a legal
 * character of a title; for such a text, the bytes that so many characters can have are the limit.
 */
const isLonger = (text: string, max: number): string =>
  `(length(${text}) > ${max} OR octet_length(${text}) > ${4 * max})`;

// Lengths are checked by triggers, because files of earlier versions have the tables already.
const schema = `
CREATE TABLE IF NOT EXISTS user (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS todos (
  -- an id is never given out twice
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL REFERENCES user(id),
  title TEXT NOT NULL,
  description TEXT,
  completed INTEGER NOT NULL DEFAULT 0 CHECK (completed IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS todos_user ON todos (user_id, id);
${['INSERT', 'UPDATE OF title, description']
  .map(
    (change, at) => `
CREATE TRIGGER IF NOT EXISTS todos_lengths_${at} BEFORE ${change} ON todos
WHEN NEW.title = '' OR ${isLonger('NEW.title', maxTitleLength)}
  OR ${isLonger('NEW.description', maxDescriptionLength)}
BEGIN SELECT RAISE(ABORT, 'A title has 1 to ${maxTitleLength} characters, a description at most ${maxDescriptionLength}.'); END;`,
  )
  .join('')}
`;

/** How long a call waits for another process that writes to the same file. */
const busyTimeoutMs = 10_000;

function prepare(db: Sqlite.Database) {
  return {
    addUser: db.prepare<[string, string]>(
      'INSERT INTO user (id, created_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
    ),
    add: db.prepare<
      [Omit<Task, 'id' | 'completed'>],
      TaskRow
    >(`INSERT INTO todos (user_id, title, description, created_at, updated_at)
      VALUES (:user_id, :title, :description, :created_at, :updated_at) RETURNING *`),
    list: db.prepare<[string], TaskRow>('SELECT * FROM todos WHERE user_id = ? ORDER BY id'),
    update: db.prepare<
      [
        {
          id: number;
          userId: string;
          title: string | null;
          description: string | null;
          at: string;
        },
      ],
      TaskRow
    >(`UPDATE todos
      SET title = coalesce(:title, title), description = coalesce(:description, description), updated_at = :at
      WHERE id = :id AND user_id = :userId RETURNING *`),
    toggle: db.prepare<[{ id: number; userId: string; at: string }], TaskRow>(
      'UPDATE todos SET completed = 1 - completed, updated_at = :at WHERE id = :id AND ' +
        'user_id = :userId RETURNING *',
    ),
    delete: db.prepare<[number, string]>('DELETE FROM todos WHERE id = ? AND user_id = ?'),
  };
}

/**
 * The tasks in their file, which is opened by the first call. Every statement names the user, so
 * that none reaches tasks of another user.
 */
export class TodoStore {
  readonly #file: string;
  readonly #clock: TodoClock;
  #opened: { db: Sqlite.Database; statements: ReturnType<typeof prepare> } | null = null;

  constructor(file: string, clock: TodoClock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** The row of the user is created with the first task. */
  add(userId: string, title: string, description: string | null): Task {
    const { db, statements } = this.#open();
    const at = this.#now();
    const work = db.transaction(() => {
      statements.addUser.run(userId, at);
      return statements.add.get({
        user_id: userId,
        title,
        description,
        created_at: at,
        updated_at: at,
      });
    });
    const row = work.immediate();
    if (row === undefined) throw new Error('The task that was just added is not there.');
    return toTask(row);
  }

  /** Ordered by ascending id. */
  list(userId: string): Task[] {
    return this.#open().statements.list.all(userId).map(toTask);
  }

  /** A null in `change` keeps the old value. Returns null if the user has no such task. */
  update(
    userId: string,
    id: number,
    change: { title: string | null; description: string | null },
  ): Task | null {
    const row = this.#open().statements.update.get({ id, userId, ...change, at: this.#now() });
    return row === undefined ? null : toTask(row);
  }

  toggle(userId: string, id: number): Task | null {
    const row = this.#open().statements.toggle.get({ id, userId, at: this.#now() });
    return row === undefined ? null : toTask(row);
  }

  delete(userId: string, id: number): boolean {
    return this.#open().statements.delete.run(id, userId).changes === 1;
  }

  close(): void {
    this.#opened?.db.close();
    this.#opened = null;
  }

  /** Whole seconds: `YYYY-MM-DDTHH:MM:SSZ`. */
  #now(): string {
    return `${this.#clock.now().slice(0, 19)}Z`;
  }

  #open() {
    if (this.#opened !== null) return this.#opened;
    makeFolder(dirname(this.#file));
    const db = new Sqlite(this.#file, { timeout: busyTimeoutMs });
    try {
      db.pragma('journal_mode = WAL');
      db.pragma('foreign_keys = ON');
      db.transaction(() => db.exec(schema)).immediate();
      this.#opened = { db, statements: prepare(db) };
    } catch (error) {
      db.close();
      throw error;
    }
    return this.#opened;
  }
}

function toTask(row: TaskRow): Task {
  const { id, title, description, completed, user_id, created_at, updated_at } = row;
  return { id, title, description, completed: completed === 1, user_id, created_at, updated_at };
}
