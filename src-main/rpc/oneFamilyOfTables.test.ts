import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../src-shared/contract/index.ts';
import { systemClock } from '../runtime/clock.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporaryFolder.ts';
import { createServices, type OpenServices } from '../app/createServices.ts';
import { databaseName } from '../app/openWorkspace.ts';
import { createLocalClient } from './router.ts';

const migration = '0540-one-family-of-tables.sql';
const models = [{ provider: 'builtin' as const, model: 'default-v1' }];

const clientOf = ({ services, log }: OpenServices): Client =>
  createLocalClient(services, { log, redactValue: services.secretGuard.redactValue });

/** How the tables were before the migration, filled from those of today. */
const before: Readonly<Record<string, string>> = {
  rewrites: 'SELECT * FROM now.candidates',
  evaluations: `SELECT id, number, suite_id, suite_name, state, reason, settings, suite, snapshot_id, planned_runs,
    owner, scorer, created_at, started_at, completed_at, deleted_at FROM now.evaluations WHERE unit = 'case'`,
  task_evaluations: `SELECT id, row_number() OVER (ORDER BY number) AS number, suite_id, suite_name, state, reason, settings ->> '$.mode' AS mode, settings, suite,
    snapshot_id, owner, created_at, started_at, completed_at, deleted_at FROM now.evaluations WHERE unit = 'task'`,
  evaluation_models: `SELECT m.* FROM now.evaluation_models m JOIN now.evaluations e ON e.id = m.evaluation_id WHERE e.unit = 'case'`,
  task_evaluation_models: `SELECT m.* FROM now.evaluation_models m JOIN now.evaluations e ON e.id = m.evaluation_id WHERE e.unit = 'task'`,
  evaluation_events: `SELECT v.* FROM now.evaluation_events v JOIN now.evaluations e ON e.id = v.evaluation_id WHERE e.unit = 'case'`,
  task_events: `SELECT v.* FROM now.evaluation_events v JOIN now.evaluations e ON e.id = v.evaluation_id WHERE e.unit = 'task'`,
  case_contents: `SELECT * FROM now.entry_contents WHERE hash IN (SELECT t.content_hash FROM now.entries t
    JOIN now.evaluations e ON e.id = t.evaluation_id WHERE e.unit = 'case')`,
  evaluation_cases: `SELECT t.evaluation_id, t.position, t.source_id AS test_case_id, t.content_hash AS case_hash, t.key AS case_key
    FROM now.entries t JOIN now.evaluations e ON e.id = t.evaluation_id WHERE e.unit = 'case'`,
  task_evaluation_tasks: `SELECT t.evaluation_id, t.position, t.source_id AS task_id, t.key, k.content FROM now.entries t
    JOIN now.entry_contents k ON k.hash = t.content_hash JOIN now.evaluations e ON e.id = t.evaluation_id WHERE e.unit = 'task'`,
  test_runs: 'SELECT * FROM now.test_runs',
  task_runs: `SELECT r.id, r.evaluation_id, r.model_settings_id, r.position, r.repetition, r.attempt, r.status, r.outcome,
    r.failure, r.error_message, r.observation -> '$.end' AS ending, r.observation -> '$.states' AS states, r.verdict,
    r.facts, r.is_current, r.created_at, r.completed_at, r.observation -> '$.user' AS said, r.spent_usd
    FROM now.runs r JOIN now.evaluations e ON e.id = r.evaluation_id WHERE e.unit = 'task' ORDER BY r.rowid`,
  task_steps:
    'SELECT run_id AS task_run_id, step, content, request_shared, request_rest, response, request_hash, response_hash FROM now.steps',
  task_labels: 'SELECT run_id AS task_run_id, check_id, label, created_at FROM now.labels',
};

const columnsOf = (db: Sqlite.Database, table: string): string[] =>
  db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
const tablesOf = (db: Sqlite.Database): string[] =>
  db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE 'tools\\_search%' ESCAPE '\\' AND name <> 'schema_migrations' ORDER BY name`,
    )
    .pluck()
    .all();

/** Every row of every table, with the version. */
function contentOf(file: string): Record<string, unknown> {
  const db = new Sqlite(file, { readonly: true });
  try {
    return {
      version: db.pragma('user_version', { simple: true }),
      ...Object.fromEntries(
        tablesOf(db).map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).raw().all()]),
      ),
    };
  } finally {
    db.close();
  }
}

/** A migrations folder that ends before this migration, or with a text in place of it. */
function migrationsUntil(folder: string, text: string | null): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of readdirSync(programFiles.migrations).filter((one) => one < migration))
    cpSync(join(programFiles.migrations, name), join(folder, name));
  if (text !== null) writeFileSync(join(folder, migration), text);
  return folder;
}

/** The workspace of today as the version before the migration would have it. */
function writeEarlier(today: string, folder: string): string {
  mkdirSync(folder);
  const file = join(folder, databaseName);
  openDatabase({
    file,
    migrationsFolder: migrationsUntil(join(folder, 'migrations'), null),
    clock: systemClock,
    access: 'write',
  }).close();
  const db = new Sqlite(file);
  db.pragma('foreign_keys = OFF');
  db.prepare('ATTACH ? AS now').run(today);
  for (const table of tablesOf(db)) {
    const columns = columnsOf(db, table).join(', ');
    const rows = before[table] ?? `SELECT * FROM now."${table}"`;
    db.exec(
      `DELETE FROM main."${table}"; INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM (${rows})`,
    );
  }
  db.close();
  rmSync(`${file}.checksums`, { force: true });
  return file;
}

async function eventsOf(events: PromiseLike<AsyncIterable<unknown>>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of await events) all.push(event);
  return all;
}

/** What people see of all evaluations of a workspace. */
async function shown(workspace: string) {
  const opened = await createServices({ host: 'cli', folder: workspace });
  try {
    return await read(clientOf(opened));
  } finally {
    await opened.close();
  }
}

async function read({ evaluations }: Client) {
  const ofCases = await evaluations.list({ limit: 10 });
  const ofTasks = await evaluations.list({ unit: 'task', limit: 10 });
  return {
    ofCases,
    ofTasks,
    cases: await Promise.all(
      ofCases.map(async ({ id }) => {
        const { rows } = await evaluations.runs({ id });
        return {
          rows,
          summary: await evaluations.summary({ id }),
          detail: await evaluations.run({ id, runId: rows[0]?.runId ?? '' }),
          snapshot: await evaluations.snapshot({ id }),
          events: await eventsOf(evaluations.watch({ id, afterSeq: 0 })),
        };
      }),
    ),
    tasks: await Promise.all(
      ofTasks.map(async ({ id }) => {
        const runs = await evaluations.runs({ unit: 'task', id });
        const of = runs.rows.map(({ runId }) => ({ id, runId }));
        return {
          report: await evaluations.report({ id }),
          details: await Promise.all(
            of.map(async (run) => evaluations.run({ unit: 'task', ...run })),
          ),
          exchanges: await Promise.all(of.map(async (run) => evaluations.exchanges(run))),
          others: await Promise.all(of.map(async (run) => evaluations.otherRuns(run))),
          events: await eventsOf(evaluations.watch({ unit: 'task', id, afterSeq: 0 })),
        };
      }),
    ),
  };
}

let folder: TemporaryFolder;
let earlier: string;
let seen: Awaited<ReturnType<typeof shown>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  const today = join(folder.path, 'today');
  const opened = await createServices({ host: 'cli', folder: today, sample: true });
  try {
    const { suites, evaluations } = clientOf(opened);
    const [suite] = await suites.list();
    // As many as of tasks, so that these, numbered after the largest number, have today's.
    for (const repetitions of [1, 2]) {
      const request = { suiteId: suite?.id ?? '', models, repetitions };
      const { id } = await evaluations.start(request);
      await eventsOf(evaluations.watch({ id, afterSeq: 0 }));
    }
    const withTasks = await suites.import({
      fileName: 'todo-tasks.suite.yaml',
      text: await readFile(join(programFiles.datasets, 'sample', 'todo-tasks.suite.yaml'), 'utf8'),
      replace: false,
    });
    for (const repetitions of [1, 2]) {
      const request = { suiteId: withTasks.id, models, repetitions };
      const { id: tasks } = await evaluations.start({ unit: 'task', ...request });
      await eventsOf(evaluations.watch({ unit: 'task', id: tasks, afterSeq: 0 }));
    }
  } finally {
    await opened.close();
  }
  const db = new Sqlite(join(today, databaseName));
  db.exec(`INSERT INTO labels SELECT run_id, 'said', 1, '2026-01-01T00:00:00.000Z' FROM steps GROUP BY run_id LIMIT 2;
    UPDATE runs SET spent_usd = 0.25, attempt = 2 WHERE verdict IS NOT NULL`);
  db.close();
  rmSync(join(today, `${databaseName}.checksums`), { force: true });
  seen = await shown(today);
  earlier = writeEarlier(join(today, databaseName), join(folder.path, 'earlier'));
});
afterAll(() => folder.remove());

it('T53: shows every evaluation of cases and of tasks as before the migration', async () => {
  expect(seen.cases[0]?.rows.length).toBeGreaterThan(5);
  expect(seen.tasks.flatMap(({ exchanges }) => exchanges.flat()).length).toBeGreaterThan(5);
  expect(seen.tasks.flatMap(({ details }) => details.flatMap(({ labels }) => labels))).toHaveLength(
    2,
  );
  const moved = join(folder.path, 'moved');
  cpSync(join(earlier, '..'), moved, { recursive: true });
  expect(await shown(moved)).toEqual(seen);
  expect(contentOf(join(moved, databaseName))).toMatchObject({
    version: Number.parseInt(readdirSync(programFiles.migrations).toSorted().at(-1) ?? ''),
  });
});

it.each([
  [
    'evaluations',
    'FROM task_evaluations e ORDER',
    'FROM task_evaluations e WHERE number > 1 ORDER',
  ],
  ['models of evaluations', 'FROM task_evaluation_models;', 'FROM task_evaluation_models LIMIT 1;'],
  ['events', 'FROM task_events;', 'FROM task_events WHERE seq > 1;'],
  [
    'frozen cases and tasks',
    'sha256(content) FROM task_evaluation_tasks;',
    'sha256(content) FROM task_evaluation_tasks LIMIT 1;',
  ],
  ['runs', 'ORDER BY r.rowid;', 'ORDER BY r.rowid LIMIT 1;'],
  [
    'steps',
    'DROP TABLE task_runs;',
    'DROP TABLE task_runs; DELETE FROM task_steps WHERE step = 0;',
  ],
  [
    'labels',
    'DROP TABLE task_runs;',
    "DROP TABLE task_runs; UPDATE task_labels SET task_run_id = 'gone' WHERE task_run_id = (SELECT min(task_run_id) FROM task_labels);",
  ],
])(
  'T53: refuses to drop the old tables where %s are missing, and changes nothing',
  (rows, from, to) => {
    const text = readFileSync(join(programFiles.migrations, migration), 'utf8');
    expect(text).toContain(from);
    expectUnchanged(text.replace(from, to), new RegExp(`Of \\d+ ${rows}, \\d+ arrived`));
  },
);

it('T53: refuses a file that lacks the frozen task of a run', () => {
  const damaged = join(folder.path, 'damaged');
  cpSync(join(earlier, '..'), damaged, { recursive: true });
  const file = join(damaged, databaseName);
  const db = new Sqlite(file);
  db.exec('DELETE FROM task_evaluation_tasks WHERE position = 0');
  db.close();
  rmSync(`${file}.checksums`, { force: true });
  const text = readFileSync(join(programFiles.migrations, migration), 'utf8');
  expectUnchanged(text, /Of \d+ runs, \d+ arrived/, file);
});

it('T53: changes nothing where the migration is interrupted after its last step', () => {
  const text = readFileSync(join(programFiles.migrations, migration), 'utf8');
  expectUnchanged(`${text}\nSELECT no_such_function();`, /no_such_function/);
});

/** Opens the earlier workspace with a changed migration. */
function expectUnchanged(text: string, message: RegExp, file = earlier): void {
  const content = contentOf(file);
  const migrationsFolder = migrationsUntil(join(folder.path, 'changed'), text);
  expect(() =>
    openDatabase({ file, migrationsFolder, clock: systemClock, access: 'write' }),
  ).toThrow(message);
  expect(contentOf(file)).toEqual(content);
}
