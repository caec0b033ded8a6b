import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { toolId } from '../src-shared/domain/labels.ts';
import { evaluationSettings } from '../src-shared/domain/evaluation.ts';
import type { SuiteFile } from '../src-shared/domain/suiteFile.ts';
import { createServices } from '../src-main/app/createServices.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { systemClock } from '../src-main/runtime/clock.ts';
import { EvaluationReader } from '../src-main/services/results/read/evaluationReader.ts';
import { summarizeFilter } from '../src-main/services/results/summarizeFilter.ts';
import { RunLists } from '../src-main/services/results/read/runLists.ts';
import { readToolsFile } from '../src-main/services/servers/toolsFile.ts';
import type { WritableDatabase } from '../src-main/store/database/database.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { openStore } from '../src-main/store/store.ts';
import { fillEvaluations } from '../src-main/testing/fillEvaluations.ts';
import { readExternal } from '../src-main/testing/externalData.ts';
import { ratioRow, type Row } from './report.ts';

function fastest(rounds: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

/**
 * The SQL that a person would write to get the same numbers: classes with their sums, and the
 * matrix, for one tag of an evaluation or for everything (null).
 */
function bareAggregate(db: WritableDatabase, evaluationId: string | null): void {
  const counting = "r.is_current = 1 AND r.status = 'completed'";
  const scope =
    evaluationId === null
      ? counting
      : `r.evaluation_id = ? AND ${counting} AND EXISTS (SELECT 1 FROM json_each(k.content, ` +
        `'$.tags') t WHERE t.value = 'tag-1')`;
  const cases =
    evaluationId === null
      ? ''
      : 'JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = ' +
        'r.position JOIN entry_contents k ON k.hash = c.content_hash';
  const bound = evaluationId === null ? [] : [evaluationId];
  db.prepare(
    'SELECT r.classification, count(*), sum(x.matched_parameters), ' +
      'sum(x.expected_parameters), avg(r.execution_time_ms) FROM runs r JOIN ' +
      `evaluation_results x ON x.test_run_id = r.id ${cases} WHERE ${scope} GROUP BY 1`,
  ).all(...bound);
  db.prepare(
    'SELECT u.expected, u.selected, count(*) FROM runs r JOIN confusion_units u ON ' +
      `u.test_run_id = r.id ${cases} WHERE ${scope} GROUP BY 1, 2`,
  ).all(...bound);
}

/**
 * A million runs in one workspace: summaries against the bare aggregate, pages by depth, and the
 * event loop meanwhile.
 */
export async function benchResults(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const file = join(folder, 'touchstone.sqlite');
  const db = openDatabase({
    file,
    migrationsFolder: programFiles.migrations,
    clock: systemClock,
    access: 'write',
  });
  const store = openStore(db, { clock: systemClock, nextId: randomUUID });
  const reader = new EvaluationReader({ store, file, migrationsFolder: programFiles.migrations });
  try {
    const ids = fillEvaluations(db, store, { evaluations: 10, casesEach: 100_000 });
    const id = ids[4] ?? '';
    const bare = fastest(3, () => {
      bareAggregate(db, id);
    });
    const whole = fastest(3, () => summarizeFilter(store, { evaluationIds: [id], tag: 'tag-1' }));
    const bareWhole = fastest(1, () => {
      bareAggregate(db, null);
    });
    const everything = fastest(1, () => summarizeFilter(store, {}));
    const lists = new RunLists();
    const list = {
      evaluationId: id,
      filter: { status: ['completed' as const] },
      sort: 'executionTimeMs' as const,
      descending: true,
      limit: 100,
    };
    const pageAt = (offset: number) =>
      lists.page(store, { ...list, offset }, (rowids) => store.runQueries.rows(rowids));
    pageAt(0);
    const top = fastest(20, () => pageAt(0));
    const deep = fastest(20, () => pageAt(89_900));
    const row = store.evaluations.get('case', id);
    if (!row) throw new Error('The evaluation is not there.');
    // Starts the thread before the measurement, as in a window in use.
    await reader.read(row, { kind: 'page', ...list, offset: 0 });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const began = performance.now();
    await Promise.all([
      reader.read(row, { kind: 'summary', evaluationId: id, modelSettingsId: null }),
      reader.read(row, { kind: 'page', ...list, offset: 50_000 }),
    ]);
    const elapsed = performance.now() - began;
    delay.disable();
    return [
      ratioRow(
        'summary and matrix of an evaluation filtered by tag, 1,000,000 runs in the workspace',
        whole,
        'ms',
        'bare SQL aggregate of the same runs',
        bare,
        3,
      ),
      ratioRow(
        'the same over every run, ten repetitions of 100,000 cases, with intervals over ' +
          'cases: no promise',
        everything,
        'ms',
        'bare SQL aggregate, without intervals',
        bareWhole,
        null,
      ),
      ratioRow(
        'page of 100 filtered, sorted runs, the last of 90,000',
        deep,
        'ms',
        'the first page',
        top,
        1.5,
      ),
      ratioRow(
        `longest stop of the event loop while ${Math.round(elapsed)} ms of summary and page ` +
          'are read',
        delay.max / 1e6,
        'ms',
        'bound',
        50,
        1,
      ),
      await benchWhatIf(folder),
    ];
  } finally {
    await reader.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Golden {
  queries: { query: string; labels: { tool_id: string }[] }[];
}

/** The 45 tools and 47 queries of the labeled corpus, without one of the tools. */
async function benchWhatIf(folder: string): Promise<Row> {
  const { tools: offered } = readToolsFile(
    readExternal('retrieval/mcpproxy_v1/corpus.json'),
    'corpus.json',
  );
  const golden = JSON.parse(readExternal('retrieval/mcpproxy_v1/golden.json')) as Golden;
  const known = new Map(offered.map(({ tool }) => [toolId(tool.server, tool.name), tool]));
  const servers = [...new Set(offered.map(({ tool }) => tool.server))];
  const suite: SuiteFile = {
    version: 1,
    name: 'labeled queries',
    servers,
    cases: golden.queries.map(({ query, labels }, index) => {
      const [right] = labels.flatMap(({ tool_id: id }) => known.get(id) ?? []);
      return {
        id: `q${index}`,
        name: `query ${index}`,
        query,
        expected_calls: right ? [{ server: right.server, tool: right.name }] : [],
      };
    }),
  };
  const opened = await createServices({ host: 'cli', folder: join(folder, 'what-if') });
  const options = { signal: new AbortController().signal };
  try {
    const { evaluations: service, results } = opened.services;
    const drain = async (evaluationId: string): Promise<void> => {
      for await (const event of service.watch({ id: evaluationId, afterSeq: 0 }, options))
        if (event.type === 'ended') return;
    };
    const base = await service.start({
      ...evaluationSettings.parse({
        suiteId: null,
        models: [{ provider: 'builtin', model: 'default-v1' }],
      }),
      inline: { suite, tools: offered },
    });
    await drain(base.id);
    const began = performance.now();
    const first = offered[0]?.tool;
    const changed = await service.whatIf({
      id: base.id,
      modelSettingsId: null,
      changes: [{ kind: 'remove_tool', toolId: first ? toolId(first.server, first.name) : '' }],
    });
    await drain(changed.id);
    await results.compare({
      baseline: { id: base.id, modelSettingsId: null },
      candidates: [{ id: changed.id, modelSettingsId: null }],
      passedWhen: null,
    });
    return ratioRow(
      `what-if with builtin, ${offered.length} tools × ${suite.cases.length} queries, to its ` +
        'answer',
      performance.now() - began,
      'ms',
      'bound',
      2000,
      1,
    );
  } finally {
    await opened.close();
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await benchResults(), null, 1)}\n`);
