import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import { systemClock } from '../runtime/clock.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { openStore } from '../store/store.ts';
import { fillEvaluations } from './fillEvaluations.ts';

// Runs as a process of its own: `node largeWorkspace.ts FOLDER CASES` fills a new workspace with
// one evaluation and prints its id.
const [folder = '', cases = '0'] = process.argv.slice(2);
const db = openDatabase({
  file: join(folder, 'touchstone.sqlite'),
  migrationsFolder: programFiles.migrations,
  clock: systemClock,
  access: 'write',
});
try {
  const [id = ''] = fillEvaluations(db, openStore(db, { clock: systemClock, nextId: randomUUID }), {
    evaluations: 1,
    casesEach: Number(cases),
  });
  process.stdout.write(id);
} finally {
  db.close();
}
