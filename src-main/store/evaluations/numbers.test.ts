import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { storedTaskSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';

const clock = tickingClock();
const models = [{ provider: 'builtin', model: 'default-v1' }];
const migration = '0580-one-sequence-of-numbers.sql';

/** Evaluations of before by unit and number, in the order of their creation; some deleted. */
type Earlier = readonly (readonly [unit: EvaluationUnit, number: number, state?: 'deleted'])[];

/** Opens a database that held these before the migration. */
async function migrated(earlier: Earlier) {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  const until = join(folder.path, 'migrations');
  mkdirSync(until);
  for (const name of readdirSync(realMigrationsFolder).filter((one) => one < migration))
    cpSync(join(realMigrationsFolder, name), join(until, name));
  const old = openDatabase({ file, migrationsFolder: until, clock, access: 'write' });
  const insert = old.prepare(
    `INSERT INTO evaluations (id, unit, number, suite_name, state, settings, suite, planned_runs, created_at, deleted_at)
     VALUES (?, ?, ?, 's', 'completed', ?, '{"system":null,"messages":[],"servers":[],"inlineTools":false}', 0, ?, ?)`,
  );
  const insertCandidate = old.prepare(
    `INSERT INTO candidates (id, base_evaluation_id, base_number, model_settings_id, model_name, tool_id, source, name, edits, state, created_at)
     VALUES (?, ?, ?, 'm', 'm', 'a:b', 'hand', 'n', '[]', 'draft', '')`,
  );
  const settings = {
    case: evaluationSettings.parse({ suiteId: null, models }),
    task: storedTaskSettings.parse({ suiteId: null, models }),
  };
  for (const [unit, number, state] of earlier)
    insert.run(
      ...[`${unit} ${number}`, unit, number, JSON.stringify(settings[unit])],
      ...[clock.now(), state === 'deleted' ? clock.now() : null],
    );
  for (const [unit, number] of earlier)
    insertCandidate.run(`of ${unit} ${number}`, `${unit} ${number}`, number);
  old.close();
  const open = () =>
    openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
  const db = open();
  return {
    db,
    open,
    store: openStore(db, { clock, nextId: countingIds() }),
    [Symbol.asyncDispose]: async () => {
      db.close();
      await folder.remove();
    },
  };
}

const newCase = (id: string) => ({
  id,
  suiteId: null,
  suiteName: 's',
  settings: evaluationSettings.parse({ suiteId: null, models }),
  suite: { system: null, messages: [], servers: [], inlineTools: false },
  plannedRuns: 0,
  models: [],
  owner: 'me',
  createdAt: clock.now(),
});

it.each<[name: string, earlier: Earlier, tasks: number[]]>([
  [
    'cases only',
    [
      ['case', 1],
      ['case', 2],
    ],
    [],
  ],
  [
    'tasks only',
    [
      ['task', 1],
      ['task', 2],
    ],
    [3, 4],
  ],
  [
    'both from 1',
    [
      ['case', 1],
      ['task', 1],
      ['task', 2],
      ['case', 2],
    ],
    [3, 4],
  ],
  [
    'more tasks than cases',
    [
      ['case', 1],
      ['task', 1],
      ['task', 2],
      ['task', 9],
    ],
    [10, 11, 12],
  ],
  [
    'deleted ones',
    [
      ['case', 7, 'deleted'],
      ['task', 1, 'deleted'],
      ['task', 3],
    ],
    [8, 9],
  ],
  ['nothing', [], []],
])(
  'T53: evaluations of tasks are numbered after every number of before, and found by it: %s',
  async (_name, earlier, tasks) => {
    await using workspace = await migrated(earlier);
    const { store, db } = workspace;
    const numbers = db
      .prepare<[], { id: string; number: number }>('SELECT id, number FROM evaluations')
      .all();
    const of = (unit: EvaluationUnit): number[] =>
      numbers.filter(({ id }) => id.startsWith(unit)).map(({ number }) => number);
    expect(of('case')).toEqual(
      earlier.filter(([unit]) => unit === 'case').map(([, number]) => number),
    );
    expect(of('task')).toEqual(tasks);
    expect(
      db
        .prepare(
          `SELECT e.id FROM candidates c JOIN evaluations e ON e.id = c.base_evaluation_id
           WHERE c.base_number <> e.number`,
        )
        .all(),
    ).toEqual([]);
    for (const [unit, number, state] of earlier) {
      const name = unit === 'task' ? `tasks:${number}` : `#${number}`;
      const id = state === 'deleted' ? undefined : `${unit} ${number}`;
      expect([name, store.evaluations.named(name)?.id]).toEqual([name, id]);
    }
    store.evaluations.insert('case', newCase('new'));
    const largest = Math.max(0, ...of('case'), ...of('task'));
    expect(db.prepare("SELECT number FROM evaluations WHERE id = 'new'").pluck().get()).toBe(
      largest + 1,
    );
  },
);

it('takes tasks:N for an old number first, then for the number of today, and never for one of cases', async () => {
  await using workspace = await migrated([
    ['case', 1],
    ['task', 1],
  ]);
  const named = (name: string) => workspace.store.evaluations.named(name);
  expect(
    ['tasks:1', 'tasks:#1', 'tasks:2', '2', '#2', 'task 1'].map((name) => named(name)?.id),
  ).toEqual(Array(6).fill('task 1'));
  expect(named('1')?.id).toBe('case 1');
  workspace.store.evaluations.insert('case', newCase('third'));
  workspace.store.evaluations.setDeleted('third', null);
  expect(named('3')).toEqual({ id: 'third', unit: 'case', number: 3 });
  expect(['tasks:3', 'tasks:9', '9', 'tasks:', 'x'].map(named)).toEqual(Array(5).fill(null));
});

it('gives two programs on one file numbers of one sequence, whatever they start', async () => {
  await using workspace = await migrated([['case', 4]]);
  const other = workspace.open();
  try {
    const stores = [workspace.store, openStore(other, { clock, nextId: countingIds() })];
    for (let at = 0; at < 6; at += 1) {
      const { id, ...rest } = newCase(`new ${at}`);
      const store = stores[at % 2];
      if (at % 3 === 0)
        store?.evaluations.insert('task', {
          ...rest,
          id,
          settings: storedTaskSettings.parse({ suiteId: null, models }),
        });
      else store?.evaluations.insert('case', { ...rest, id });
    }
    expect(other.prepare('SELECT number FROM evaluations ORDER BY rowid').pluck().all()).toEqual([
      4, 5, 6, 7, 8, 9, 10,
    ]);
  } finally {
    other.close();
  }
});
