import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { systemClock } from '../src-main/runtime/clock.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { openStore } from '../src-main/store/store.ts';
import { makeMaterial } from './material.ts';
import { ratioRow, type Row } from './report.ts';

/** 300 tools seen by 10,000 runs: their text must be stored once, not once per run. */
export function benchStorage(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const db = openDatabase({
    file: join(folder, 'storage.sqlite'),
    migrationsFolder: programFiles.migrations,
    clock: systemClock,
    access: 'write',
  });
  const store = openStore(db, { clock: systemClock, nextId: randomUUID });
  try {
    const tools = Array.from({ length: 6 }, (_, copy) =>
      makeMaterial(1).tools.map(({ tool }) => ({ ...tool, name: `${tool.name}_${copy}` })),
    ).flat();
    const content = {
      servers: [],
      tools: tools.map((tool) => ({
        serverId: null,
        tool: {
          tool,
          raw: JSON.stringify({
            name: tool.name,
            description: tool.description,
            inputSchema: tool.inputSchema,
          }),
        },
      })),
    };
    for (let evaluation = 0; evaluation < 10; evaluation += 1) {
      const id = randomUUID();
      const snapshot = store.toolSnapshots.freeze(content);
      const at = systemClock.now();
      store.transaction(() => {
        db.prepare(
          'INSERT INTO evaluations (id, unit, number, suite_name, state, settings, suite, ' +
            "planned_runs, snapshot_id, created_at) VALUES (?, 'case', ?, 's', 'running', '{}', '{}', " +
            '1000, ?, ?)',
        ).run(id, evaluation + 1, snapshot.id, at);
        const settings = store.modelSettings.insert({
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
        for (let position = 0; position < 1_000; position += 1) {
          store.runs.insert({
            id: randomUUID(),
            evaluationId: id,
            sourceId: 'c',
            modelSettingsId: settings.id,
            position,
            repetition: 1,
            attempt: 1,
            createdAt: at,
          });
        }
      });
    }
    db.exec("UPDATE runs SET status = 'completed'");
    const rows = db.prepare<[], number>('SELECT count(*) FROM tool_definitions').pluck().get() ?? 0;
    const bytes =
      db
        .prepare<[], number>(
          "SELECT sum(pgsize) FROM dbstat WHERE name IN ('tool_contents', 'snapshot_tools', " +
            "'tool_snapshots')",
        )
        .pluck()
        .get() ?? 0;
    if (rows !== 3_000_000)
      throw new Error(`The view tells of ${rows} tool definitions, not of 3,000,000.`);
    return [
      ratioRow(
        'tool text stored for 300 tools × 10,000 runs',
        bytes / 1024 / 1024,
        'MB',
        'bound',
        2,
        1,
      ),
    ];
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
