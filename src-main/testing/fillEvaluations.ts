import { randomUUID } from 'node:crypto';
import { evaluationSettings } from '../../src-shared/domain/evaluation.ts';
import { systemClock } from '../runtime/clock.ts';
import type { WritableDatabase } from '../store/database/database.ts';
import type { Store } from '../store/store.ts';

/**
 * Writes finished evaluations directly into the database, one run per case: every fifth call goes
 * to a neighbor among 40 tools, every tenth run failed. Returns their ids.
 */
export function fillEvaluations(
  db: WritableDatabase,
  store: Store,
  { evaluations, casesEach }: { evaluations: number; casesEach: number },
): string[] {
  const tools = 40;
  const at = systemClock.now();
  const model = store.modelSettings.insert({
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
  const settings = JSON.stringify(
    evaluationSettings.parse({ suiteId: null, models: [{ provider: 'builtin', model: 'm' }] }),
  );
  const suite = JSON.stringify({ system: null, messages: [], servers: ['s'], inlineTools: true });
  const ids = Array.from({ length: evaluations }, () => randomUUID());
  store.transaction(() => {
    for (let tag = 0; tag < 10; tag += 1) {
      const content = {
        name: `case ${tag}`,
        query: `query ${tag}`,
        tags: [`tag-${tag}`],
        servers: [],
        expectedCalls: [{ server: 's', tool: `tool_${tag}` }],
        orderDependent: false,
        allowedCalls: [],
        stubResults: [],
      };
      db.prepare('INSERT INTO entry_contents (hash, name, query, content) VALUES (?, ?, ?, ?)').run(
        `hash-${tag}`,
        content.name,
        content.query,
        JSON.stringify(content),
      );
    }
  });
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${casesEach})`;
  for (const [number, id] of ids.entries()) {
    store.transaction(() => {
      db.prepare(
        'INSERT INTO evaluations (id, unit, number, suite_name, state, settings, suite, ' +
          "planned_runs, created_at, started_at, completed_at) VALUES (?, 'case', ?, 'large suite', " +
          "'completed', ?, ?, ?, ?, ?, ?)",
      ).run(id, number + 1, settings, suite, casesEach, at, at, at);
      db.prepare(
        'INSERT INTO evaluation_models (evaluation_id, position, model_settings_id) VALUES ' +
          '(?, 0, ?)',
      ).run(id, model.id);
      db.prepare(
        `${numbers} INSERT INTO entries (evaluation_id, position, source_id, ` +
          `content_hash, key) SELECT ?, i, 'case-' || i, 'hash-' || (i % 10), 'case-' || i ` +
          'FROM n',
      ).run(id);
      db.prepare(
        `${numbers} INSERT INTO runs (id, evaluation_id, source_id, model_settings_id, position, repetition, attempt, status, failure, llm_request_raw, observation, classification, execution_time_ms, input_tokens, output_tokens, confidence_score, confidence_method, created_at)
        SELECT ? || '-' || i, ?, 'case-' || i, ?, i, 1, 1, iif(i % 10 = 9, 'failed', 'completed'), iif(i % 10 = 9, 'provider', NULL), '{"query":"' || hex(zeroblob(200)) || '"}', '{"calls":[],"usage":{"input":900,"output":40,"source":"measured"}}', iif(i % 10 = 9, NULL, iif(i % 5 = 0, 'FN', 'TP')), 1 + (i * 7919) % 2000, 900, 40, ((i * 31) % 100) / 100.0, 'margin', ? FROM n`,
      ).run(id, id, model.id, at);
      db.prepare(
        `INSERT INTO evaluation_results (id, test_run_id, classification, tool_selection_correct, parameter_completeness, parameter_correctness, parameter_type_conformance, matched_parameters, expected_parameters, passed, confidence_category, reasoning, recommendations, details, scorer, created_at)
        SELECT 'x' || id, id, classification, classification = 'TP', 1, 1, 1, position % 3, 3, classification = 'TP', 'robust', hex(zeroblob(60)), '[]', '{"missing":[],"parameters":[],"matches":[]}', 'bench', ? FROM runs WHERE evaluation_id = ? AND status = 'completed'`,
      ).run(at, id);
      db.prepare(
        'INSERT INTO confusion_units (test_run_id, unit, expected, selected) SELECT id, 0, ' +
          `'s:tool_' || (position % ${tools}), 's:tool_' || ((position + (position % 5 = 0)) % ` +
          `${tools}) FROM runs WHERE evaluation_id = ? AND status = 'completed'`,
      ).run(id);
      db.prepare(
        `UPDATE runs SET outcome = iif(classification = 'TP', 'passed', 'wrong_tool'),
          cause_expected = iif(classification = 'TP', NULL, 's:tool_' || (position % ${tools})),
          cause_called = iif(classification = 'TP', NULL, 's:tool_' || ((position + 1) % ${tools}))
        WHERE evaluation_id = ? AND status = 'completed'`,
      ).run(id);
      store.events.append(id, at, { type: 'ended', state: 'completed', reason: null });
    });
  }
  db.exec('ANALYZE');
  return ids;
}
