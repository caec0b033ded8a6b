import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Score } from '../src-shared/domain/score.ts';
import type { SuiteFileCase } from '../src-shared/domain/suiteFile.ts';
import type { ExpectedCall } from '../src-shared/domain/testCase.ts';
import type { ChatReply } from '../src-main/adapters/llm/chatModel.ts';
import { createBuiltinModel } from '../src-main/adapters/llm/builtin/builtinModel.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { AjvJudge } from '../src-main/scoring/ajvJudge.ts';
import { scoreRun } from '../src-main/scoring/scoreRun.ts';
import { systemClock } from '../src-main/runtime/clock.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { openStore } from '../src-main/store/store.ts';
import { makeMaterial } from './material.ts';

/**
 * The floor: select, score, and insert the same rows in groups of 100, without plan, queue or
 * events.
 */
const cases = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const db = openDatabase({
  file: join(folder, 'bare.sqlite'),
  migrationsFolder: programFiles.migrations,
  clock: systemClock,
  access: 'write',
});
const store = openStore(db, { clock: systemClock, nextId: randomUUID });
const { suite, tools: received } = makeMaterial(cases);
const model = createBuiltinModel();
const judge = new AjvJudge();
const signal = new AbortController().signal;

const began = performance.now();
const evaluationId = randomUUID();
const at = systemClock.now();
const snapshot = store.toolSnapshots.freeze({
  servers: [
    {
      server: 'office',
      serverId: null,
      status: 'listed',
      error: null,
      instructions: null,
      protocolVersion: null,
      serverInfo: null,
      rejected: [],
    },
  ],
  tools: received.map((tool) => ({ serverId: null, tool })),
});
const settings = store.modelSettings.insert({
  provider: 'builtin',
  model: 'default-v1',
  timeout: 30,
  temperature: 0.4,
  maxRetries: 3,
  baseUrl: null,
  replayFile: null,
  wireApi: 'builtin',
  systemPrompt: null,
  sent: {},
});
db.prepare(
  'INSERT INTO evaluations (id, unit, number, suite_name, state, settings, suite, planned_runs, ' +
    "created_at) VALUES (?, 'case', 1, 'bare', 'running', '{}', '{}', ?, ?)",
).run(evaluationId, cases, at);
const insertRun = db.prepare(
  `INSERT INTO runs (id, evaluation_id, source_id, model_settings_id, position, repetition, status, llm_request_raw, llm_response_raw,
     selected_tool_id, extracted_parameters, observation, confidence_score, confidence_method, classification, execution_time_ms, created_at, completed_at)
   VALUES (?, ?, ?, ?, ?, 1, 'completed', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const tools = snapshot.tools.map((tool) => ({ ...tool, toolId: `${tool.server}:${tool.name}` }));

for (let start = 0; start < cases; start += 100) {
  const group: {
    entry: SuiteFileCase;
    position: number;
    reply: ChatReply;
    score: Score;
    expectedCalls: ExpectedCall[];
  }[] = [];
  for (const [offset, entry] of suite.cases.slice(start, start + 100).entries()) {
    const reply = await model.choose(
      { query: entry.query, system: null, messages: [], tools, repetition: 1 },
      signal,
    );
    const expectedCalls = entry.expected_calls.flatMap((call) => ('server' in call ? [call] : []));
    const score = scoreRun(
      {
        expectation: { expectedCalls, orderDependent: false, allowedCalls: [] },
        query: entry.query,
        calls: reply.observation.calls,
        tools,
        confidence: reply.observation.confidence,
        highConfidence: 0.7,
        modelReasoning: reply.observation.reasoning,
      },
      judge,
    );
    group.push({ entry, position: start + offset, reply, score, expectedCalls });
  }
  store.transaction(() => {
    for (const { entry, position, reply, score, expectedCalls } of group) {
      const id = randomUUID();
      const [call] = reply.observation.calls;
      store.entries.freeze(evaluationId, {
        position,
        sourceId: entry.id,
        key: entry.id,
        content: {
          name: entry.name,
          query: entry.query,
          tags: entry.tags ?? [],
          servers: [],
          expectedCalls,
          orderDependent: false,
          allowedCalls: [],
          stubResults: [],
        },
      });
      insertRun.run(
        id,
        evaluationId,
        entry.id,
        settings.id,
        position,
        JSON.stringify({ ...reply.request, tools: null }),
        JSON.stringify(reply.response),
        tools.find(({ name }) => name === call?.tool)?.snapshotToolId ?? null,
        call?.arguments ? JSON.stringify(call.arguments) : null,
        JSON.stringify(reply.observation),
        reply.observation.confidence?.score ?? null,
        reply.observation.confidence?.method ?? null,
        score.classification,
        1,
        at,
        at,
      );
      store.results.put(randomUUID(), id, score, 'bare', at);
    }
    store.events.append(evaluationId, at, { type: 'runs', outcomes: [] });
  });
}
const ms = performance.now() - began;
db.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ ms, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
