import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createServices } from '../../app/createServices.ts';
import { startLineChild } from '../../testing/lineChild.ts';
import { isNightly } from '../../testing/nightly.ts';
import { seededRandom } from '../../testing/seededRandom.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';
import { openDatabase } from '../../store/database/openDatabase.ts';
import { realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';

const program = testProgram('src-main/testing/importChild.ts');
const rounds = isNightly ? 6 : 1;
const cases = 6_000;

/** What a suite holds: how many cases of each file, or null without the suite. */
async function stateOf(folder: string) {
  const opened = await createServices({ host: 'cli', folder });
  try {
    const [suite] = await opened.services.suites.list();
    if (suite === undefined) return null;
    const stored = await opened.services.suites.cases({ suiteId: suite.id });
    expect(suite.caseCount).toBe(stored.length);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
    return {
      id: suite.id,
      one: stored.filter(({ query }) => query.startsWith('one')).length,
      two: stored.filter(({ query }) => query.startsWith('two')).length,
      ids: stored.map(({ id }) => id).join(' '),
    };
  } finally {
    await opened.close();
  }
}

/** The rows that no suite shows, once the program has had the time to remove them. */
async function leftAfterStart(folder: string): Promise<number | undefined> {
  const opened = await createServices({ host: 'cli', folder });
  const file = join(folder, 'touchstone.sqlite');
  const db = openDatabase({
    ...{ file, migrationsFolder: realMigrationsFolder, clock: tickingClock() },
    access: 'read',
  });
  const count = db
    .prepare<[], number>('SELECT count(*) FROM suites WHERE hidden = 1 OR shown_in IS NOT id')
    .pluck();
  try {
    // The services run in this thread: it is their turn.
    while (count.get() !== 0) await setImmediate();
    return count.get();
  } finally {
    db.close();
    await opened.close();
  }
}

test.concurrent(
  'T49: an import that is killed at any point has added, replaced or appended all cases or none',
  async () => {
    const random = seededRandom('T49 imports');
    const seen = new Set<string>();
    let tookMs: number;
    {
      await using folder = await temporaryFolder();
      tookMs = await finish(folder.path, 'new');
    }
    for (let round = 0; round < rounds; round += 1) {
      await using folder = await temporaryFolder();
      for (const how of ['new', 'replace', 'append', 'remove'] as const) {
        const before = await stateOf(folder.path);
        // Half of the kills come while it imports, the others while it deletes and moves.
        const killAfterMs = 1 + random.integer(Math.round(2 * tookMs));
        await using child = startLineChild(program, [
          ...[folder.path, how, String(cases), String(killAfterMs)],
        ]);
        await child.ended;
        const after = await stateOf(folder.path);
        const outcomes = {
          new: [null, { one: cases, two: 0 }],
          replace: [before, { one: 0, two: cases, ids: before?.ids }],
          append: [
            before,
            { ...before, one: cases, two: cases, ids: expect.any(String) as string },
          ],
          remove: [before, null],
        }[how];
        const which = outcomes.findIndex((outcome) =>
          outcome === null ? after === null : after !== null && matches(after, outcome),
        );
        expect(
          which,
          `${how} in round ${round}: ${JSON.stringify({ ...after, ids: '' })}`,
        ).toBeGreaterThanOrEqual(0);
        seen.add(`${how} ${which}`);
        // What the next step needs, whatever became of this one.
        if (how !== 'remove' && which === 0) await finish(folder.path, how);
      }
      expect(await leftAfterStart(folder.path)).toBe(0);
    }
    // So many kills came both before and after the moment that makes all visible.
    if (isNightly)
      expect([...seen].filter((key) => /^(new|replace|append)/.test(key)).sort()).toEqual([
        'append 0',
        'append 1',
        'new 0',
        'new 1',
        'replace 0',
        'replace 1',
      ]);
  },
);

function matches(after: object, outcome: object): boolean {
  try {
    expect(after).toMatchObject(outcome);
    return true;
  } catch {
    return false;
  }
}

/** Lets one import end, and returns how long it took. */
async function finish(folder: string, how: string): Promise<number> {
  await using child = startLineChild(program, [folder, how, String(cases)]);
  let began = performance.now();
  for (let line = await child.nextLine(); line !== 'done'; line = await child.nextLine()) {
    expect(line).not.toBeNull();
    began = performance.now();
  }
  return performance.now() - began;
}
