import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { toolId } from '../src-shared/domain/labels.ts';
import { evaluationSettings } from '../src-shared/domain/evaluation.ts';
import type { SuiteFile } from '../src-shared/domain/suiteFile.ts';
import { createServices } from '../src-main/createServices.ts';
import { programFiles } from '../src-main/programFiles.ts';
import { systemClock } from '../src-main/services/clock.ts';
import { EvaluationReader } from '../src-main/services/evaluations/evaluationReader.ts';
import { foldSummary } from '../src-main/services/evaluations/foldSummary.ts';
import { RunLists } from '../src-main/services/evaluations/runLists.ts';
import { readToolsFile } from '../src-main/services/servers/toolsFile.ts';
import type { WritableDatabase } from '../src-main/store/database.ts';
import { openDatabase } from '../src-main/store/openDatabase.ts';
import { filterScope } from '../src-main/store/scopes.ts';
import { openStore, type Store } from '../src-main/store/store.ts';
import { ratioRow, type Row } from './report.ts';

const casesEach = 100_000;
const tools = 40;

/** Evaluations of 100,000 runs, written by the database itself: every fifth call goes to a neighbour, every tenth run failed. */
export function fillEvaluations(db: WritableDatabase, store: Store, evaluations = 10): string[] {
  const at = systemClock.now();
  const model = store.modelSettings.insert({ provider: 'builtin', model: 'm', timeout: 30, temperature: 0, maxRetries: 0, baseUrl: null, replayFile: null, wireApi: 'builtin', systemPrompt: null, sent: {} });
  const settings = JSON.stringify(evaluationSettings.parse({ suiteId: null, models: [{ provider: 'builtin', model: 'm' }] }));
  const suite = JSON.stringify({ system: null, messages: [], servers: ['s'], inlineTools: true });
  const ids = Array.from({ length: evaluations }, () => randomUUID());
  store.transaction(() => {
    for (let tag = 0; tag < 10; tag += 1) {
      const content = { name: `case ${tag}`, query: `query ${tag}`, tags: [`tag-${tag}`], servers: [], expectedCalls: [{ server: 's', tool: `tool_${tag}` }], orderDependent: false, allowedCalls: [], stubResults: [] };
      db.prepare('INSERT INTO case_contents (hash, name, query, content) VALUES (?, ?, ?, ?)').run(`hash-${tag}`, content.name, content.query, JSON.stringify(content));
    }
  });
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${casesEach})`;
  for (const [number, id] of ids.entries()) {
    store.transaction(() => {
      db.prepare("INSERT INTO evaluations (id, number, suite_name, state, settings, suite, planned_runs, created_at, started_at, completed_at) VALUES (?, ?, 'bench', 'completed', ?, ?, ?, ?, ?, ?)").run(id, number + 1, settings, suite, casesEach, at, at, at);
      db.prepare('INSERT INTO evaluation_models (evaluation_id, position, model_settings_id) VALUES (?, 0, ?)').run(id, model.id);
      db.prepare(`${numbers} INSERT INTO evaluation_cases (evaluation_id, position, test_case_id, case_hash, case_key) SELECT ?, i, 'case-' || i, 'hash-' || (i % 10), 'case-' || i FROM n`).run(id);
      db.prepare(`${numbers} INSERT INTO test_runs (id, evaluation_id, test_case_id, model_settings_id, position, repetition, attempt, status, failure, llm_request_raw, observation, classification, execution_time_ms, confidence_score, confidence_method, created_at)
        SELECT ? || '-' || i, ?, 'case-' || i, ?, i, 1, 1, iif(i % 10 = 9, 'failed', 'completed'), iif(i % 10 = 9, 'provider', NULL), '{"query":"' || hex(zeroblob(200)) || '"}', '{"calls":[]}', iif(i % 10 = 9, NULL, iif(i % 5 = 0, 'FN', 'TP')), 1 + (i * 7919) % 2000, ((i * 31) % 100) / 100.0, 'margin', ? FROM n`).run(id, id, model.id, at);
      db.prepare(`INSERT INTO evaluation_results (id, test_run_id, classification, tool_selection_correct, parameter_completeness, parameter_correctness, parameter_type_conformance, matched_parameters, expected_parameters, passed, confidence_category, reasoning, recommendations, details, scorer, created_at)
        SELECT 'x' || id, id, classification, classification = 'TP', 1, 1, 1, position % 3, 3, classification = 'TP', 'robust', hex(zeroblob(60)), '[]', '{"missing":[],"parameters":[],"matches":[]}', 'bench', ? FROM test_runs WHERE evaluation_id = ? AND status = 'completed'`).run(at, id);
      db.prepare(`INSERT INTO confusion_units (test_run_id, unit, expected, selected) SELECT id, 0, 's:tool_' || (position % ${tools}), 's:tool_' || ((position + (position % 5 = 0)) % ${tools}) FROM test_runs WHERE evaluation_id = ? AND status = 'completed'`).run(id);
      store.events.append(id, at, { type: 'ended', state: 'completed', reason: null });
    });
  }
  db.exec('ANALYZE');
  return ids;
}

function fastest(rounds: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

/** What a person would type to see the same numbers: classes with their sums, and the matrix. */
function bareAggregate(db: WritableDatabase, evaluationId: string): void {
  const scope = `r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND EXISTS (SELECT 1 FROM json_each(k.content, '$.tags') t WHERE t.value = 'tag-1')`;
  const cases = 'JOIN evaluation_cases c ON c.evaluation_id = r.evaluation_id AND c.position = r.position JOIN case_contents k ON k.hash = c.case_hash';
  db.prepare(`SELECT r.classification, count(*), sum(x.matched_parameters), sum(x.expected_parameters), avg(r.execution_time_ms) FROM test_runs r JOIN evaluation_results x ON x.test_run_id = r.id ${cases} WHERE ${scope} GROUP BY 1`).all(evaluationId);
  db.prepare(`SELECT u.expected, u.selected, count(*) FROM test_runs r JOIN confusion_units u ON u.test_run_id = r.id ${cases} WHERE ${scope} GROUP BY 1, 2`).all(evaluationId);
}

/** A million runs in one workspace: summaries against the bare aggregate, pages by their depth, and the event loop meanwhile. */
export async function benchResults(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const file = join(folder, 'touchstone.sqlite');
  const db = openDatabase({ file, migrationsFolder: programFiles.migrations, clock: systemClock, access: 'write' });
  const store = openStore(db, { clock: systemClock, nextId: randomUUID });
  const reader = new EvaluationReader({ store, file, migrationsFolder: programFiles.migrations });
  try {
    const ids = fillEvaluations(db, store);
    const id = ids[4] ?? '';
    const bare = fastest(3, () => {
      bareAggregate(db, id);
    });
    const whole = fastest(3, () => foldSummary(store, filterScope({ evaluationId: id, tag: 'tag-1' }), []));
    const lists = new RunLists();
    const list = { evaluationId: id, filter: { status: ['completed' as const] }, sort: 'executionTimeMs' as const, descending: true, limit: 100 };
    lists.page(store, { ...list, offset: 0 });
    const top = fastest(20, () => lists.page(store, { ...list, offset: 0 }));
    const deep = fastest(20, () => lists.page(store, { ...list, offset: 89_900 }));
    const row = store.evaluations.get(id);
    if (!row) throw new Error('The evaluation is not there.');
    // The thread starts before it is measured, as it has in a window that was used.
    await reader.read(row, { what: 'page', ...list, offset: 0 });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const began = performance.now();
    await Promise.all([reader.read(row, { what: 'summary', evaluationId: id, modelSettingsId: null }), reader.read(row, { what: 'page', ...list, offset: 50_000 })]);
    const elapsed = performance.now() - began;
    delay.disable();
    return [
      ratioRow('summary and matrix by tag, 1,000,000 runs in the workspace', whole, 'ms', 'bare SQL aggregate of the same runs', bare, 3),
      ratioRow('page of 100 filtered, sorted runs, the last of 90,000', deep, 'ms', 'the first page', top, 1.5),
      ratioRow(`longest stop of the event loop while ${Math.round(elapsed)} ms of summary and page are read`, delay.max / 1e6, 'ms', 'bound', 50, 1),
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

/** The 45 tools and 47 queries of the labelled corpus, without one of the tools. */
async function benchWhatIf(folder: string): Promise<Row> {
  const corpus = join(programFiles.root, 'datasets', 'external', 'retrieval', 'mcpproxy_v1');
  const { tools: offered } = readToolsFile(readFileSync(join(corpus, 'corpus.json'), 'utf8'), 'corpus.json');
  const golden = JSON.parse(readFileSync(join(corpus, 'golden.json'), 'utf8')) as Golden;
  const known = new Map(offered.map(({ tool }) => [toolId(tool.server, tool.name), tool]));
  const servers = [...new Set(offered.map(({ tool }) => tool.server))];
  const suite: SuiteFile = {
    version: 1,
    name: 'labelled queries',
    servers,
    cases: golden.queries.map(({ query, labels }, index) => {
      const [right] = labels.flatMap(({ tool_id: id }) => known.get(id) ?? []);
      return { id: `q${index}`, name: `query ${index}`, query, expected_calls: right ? [{ server: right.server, tool: right.name }] : [] };
    }),
  };
  const opened = await createServices({ host: 'cli', folder: join(folder, 'what-if') });
  const options = { signal: new AbortController().signal };
  try {
    const { evaluations: service, results } = opened.services;
    const drain = async (evaluationId: string): Promise<void> => {
      for await (const event of service.watch({ id: evaluationId, afterSeq: 0 }, options)) if (event.type === 'ended') return;
    };
    const base = await service.start({ ...evaluationSettings.parse({ suiteId: null, models: [{ provider: 'builtin', model: 'default-v1' }] }), inline: { suite, tools: offered } }, options);
    await drain(base.id);
    const began = performance.now();
    const first = offered[0]?.tool;
    const changed = await service.whatIf({ id: base.id, modelSettingsId: null, changes: [{ kind: 'remove_tool', toolId: first ? toolId(first.server, first.name) : '' }] }, options);
    await drain(changed.id);
    await results.compare({ baseline: { id: base.id, modelSettingsId: null }, candidates: [{ id: changed.id, modelSettingsId: null }], rightWhen: null }, options);
    return ratioRow(`what-if with builtin, ${offered.length} tools × ${suite.cases.length} queries, to its answer`, performance.now() - began, 'ms', 'bound', 2000, 1);
  } finally {
    await opened.close();
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await benchResults(), null, 1)}\n`);
