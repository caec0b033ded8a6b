import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caseFile } from '../src-shared/domain/suiteFile.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { systemClock } from '../src-main/runtime/clock.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { createServices } from '../src-main/app/createServices.ts';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { ratioRow, type Row } from './report.ts';

const promisedBlockMs = 200;

/** The longest time during `work` in which nothing else could run. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return longest;
}

/** 5,000 tools in 20 MB, from the server's pipe to the response for the screen. */
export async function benchServers(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const opened = await createServices({ host: 'cli', folder });
  const options = { signal: new AbortController().signal };
  try {
    const { servers } = opened.services;
    const { id } = await servers.create({ name: 'many', config: fakeStdioServer('many-tools') });
    await servers.check({ id });
    const listing = Math.min(
      await longestBlock(() => servers.refreshTools({ id }, options)),
      await longestBlock(() => servers.refreshTools({ id }, options)),
    );
    const showing = Math.min(
      await longestBlock(() => servers.get({ id })),
      await longestBlock(() => servers.get({ id })),
    );
    return [
      ratioRow(
        'longest stop while 5,000 tools (20 MB) are listed',
        listing,
        'ms',
        'bound',
        promisedBlockMs,
        1,
      ),
      ratioRow('longest stop while they are shown', showing, 'ms', 'bound', promisedBlockMs, 1),
    ];
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const cases = 10_000;

/** Parsing, validation and hand-written inserts, compared with the full import. */
export async function benchCases(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const opened = await createServices({ host: 'cli', folder });
  const { suites } = opened.services;
  const options = { signal: new AbortController().signal };
  const file = {
    version: 1,
    name: 'bench',
    servers: ['todo'],
    cases: Array.from({ length: cases }, (_, index) => ({
      id: `c${index}`,
      name: `Case ${index}`,
      query: `Add number ${index} to my list`,
      tags: ['bench'],
      expected_calls: [
        { server: 'todo', tool: 'add_task', parameters: { title: `number ${index}` } },
      ],
    })),
  };
  const text = JSON.stringify(file);
  const db = openDatabase({
    file: join(folder, 'bare.sqlite'),
    migrationsFolder: programFiles.migrations,
    clock: systemClock,
    access: 'write',
  });
  try {
    const bare = fastestOf(() => {
      const parsed = caseFile.parse(JSON.parse(text));
      const insert =
        db.prepare(`INSERT INTO test_cases (id, suite_id, key, position, name, query, expected_calls, order_dependent, allowed_calls, stub_results, tags, servers, created_at, updated_at)
        VALUES (?, 's', ?, ?, ?, ?, ?, 0, '[]', '[]', ?, '[]', ?, ?)`);
      const at = systemClock.now();
      db.transaction(() => {
        db.prepare('DELETE FROM suites').run();
        db.prepare(
          'INSERT INTO suites (id, name, messages, servers, created_at, updated_at) VALUES ' +
            "('s', 's', '[]', '[]', ?, ?)",
        ).run(at, at);
        for (const [position, each] of parsed.cases.entries())
          insert.run(
            randomUUID(),
            each.id,
            position,
            each.name,
            each.query,
            JSON.stringify(each.expected_calls),
            JSON.stringify(each.tags ?? []),
            at,
            at,
          );
      })();
    });
    let took = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs; run += 1) {
      const began = performance.now();
      const { id } = await suites.import({ fileName: 'bench.json', text, replace: false }, options);
      took = Math.min(took, performance.now() - began);
      await suites.remove({ id });
    }
    return [
      ratioRow(
        `import of ${cases.toLocaleString('en')} cases`,
        took,
        'ms',
        'parse, validate, bare insert',
        bare,
        2,
      ),
    ];
  } finally {
    db.close();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Repeated, because a busy machine adds time that isn't being measured. */
const runs = 3;

function fastestOf(work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}
