import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';

const clock = tickingClock();
const nextId = countingIds();
const model = { provider: 'builtin', model: 'default-v1' };
const migration = '0586-own-runs-of-parts.sql';

it('T53: a part of before loses the planned runs of other parts, and a whole evaluation none', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.sqlite');
  const until = join(folder.path, 'migrations');
  mkdirSync(until);
  for (const name of readdirSync(realMigrationsFolder).filter((one) => one < migration))
    cpSync(join(realMigrationsFolder, name), join(until, name));
  const old = openDatabase({ file, migrationsFolder: until, clock, access: 'write' });
  const before = openStore(old, { clock, nextId });
  const { id: modelSettingsId } = before.modelSettings.insert({
    provider: 'builtin',
    model: 'm',
    timeout: 30,
    temperature: 0,
    maxRetries: 0,
    baseUrl: null,
    replayFile: null,
    wireApi: 'builtin',
    systemPrompt: null,
    sent: {},
  });
  for (const [id, shard] of [
    ['part', { index: 2, of: 3 }],
    ['whole', null],
  ] as const) {
    before.evaluations.insert('case', {
      ...{ id, suiteId: null, suiteName: 's', plannedRuns: 7, owner: 'me' },
      settings: evaluationSettings.parse({ suiteId: null, models: [model], shard }),
      suite: { system: null, messages: [], servers: [], inlineTools: false },
      models: [{ modelSettingsId, price: null }],
      createdAt: clock.now(),
    });
    before.events.append(id, clock.now(), { type: 'planned', runs: 7 });
    for (let position = 0; position < 7; position += 1)
      before.runs.insert({
        ...{ id: `${id} ${position}`, evaluationId: id, sourceId: '', position, modelSettingsId },
        ...{ repetition: 1, attempt: 1, createdAt: clock.now() },
      });
  }
  old.close();

  const db = openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
  const runsOf = (id: string) =>
    db
      .prepare<[string], string>('SELECT id FROM runs WHERE evaluation_id = ? ORDER BY position')
      .pluck()
      .all(id);
  const plannedOf = (id: string) =>
    db
      .prepare(
        `SELECT e.planned_runs AS planned, v.data ->> '$.runs' AS told
         FROM evaluations e JOIN evaluation_events v ON v.evaluation_id = e.id WHERE e.id = ?`,
      )
      .get(id);
  expect(runsOf('part')).toEqual(['part 1', 'part 4']);
  expect(plannedOf('part')).toEqual({ planned: 2, told: 2 });
  expect(runsOf('whole')).toHaveLength(7);
  expect(plannedOf('whole')).toEqual({ planned: 7, told: 7 });
  db.close();
});
