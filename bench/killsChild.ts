import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { systemClock } from '../src-main/runtime/clock.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { openStore } from '../src-main/store/store.ts';

/*
 * `node killsChild.ts FILE` saves cases one by one and prints the key of each after its commit,
 * until it is killed. Cases are large, so that checkpoints happen often.
 */
const [file = ''] = process.argv.slice(2);
const db = openDatabase({
  file,
  migrationsFolder: programFiles.migrations,
  clock: systemClock,
  access: 'write',
});
const store = openStore(db, { clock: systemClock, nextId: randomUUID });
const suite =
  store.suites.getByName('saved') ??
  store.suites.insert({ name: 'saved', system: null, messages: [], servers: [] });
for (;;) {
  const key = randomUUID();
  store.testCases.insertMany(suite.id, [
    {
      key,
      name: key,
      query: key.padEnd(40_000, '.'),
      tags: [],
      servers: [],
      stubResults: [],
      expectedCalls: [],
      orderDependent: false,
      allowedCalls: [],
    },
  ]);
  writeSync(1, `${key}\n`);
}
