import { expect, it } from 'vitest';
import { call, createEngine, type Engine, type FakeCase } from '../../../testing/engine.ts';

const servers = {
  s: [
    { name: 'add', description: 'adds an item' },
    { name: 'remove', description: 'removes an item' },
  ],
  t: [{ name: 'look', description: 'looks around' }],
};
const cases: FakeCase[] = [
  { query: 'adds', expected: [{ server: 's', tool: 'add' }], servers: ['s'] },
  { query: 'looks', expected: [{ server: 't', tool: 'look' }], servers: ['t'] },
  { query: 'both', expected: [], servers: ['s', 't'] },
];
const openEngine = () =>
  createEngine({
    servers,
    cases,
    script: async ({ tools: [first] }) => ({
      calls: first ? [call(first.server, first.name)] : [],
    }),
  });

/** The tools of the view by the query of their run. */
function definitions({ database: { db } }: Engine, evaluationId: string) {
  const rows = db
    .prepare<[string], { query: string; names: string }>(
      `SELECT k.query, group_concat(d.name, ' ' ORDER BY d.name) AS names
       FROM test_runs r
       JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
       JOIN entry_contents k ON k.hash = c.content_hash
       LEFT JOIN tool_definitions d ON d.test_run_id = r.id
       WHERE r.evaluation_id = ? GROUP BY r.id`,
    )
    .all(evaluationId);
  return Object.fromEntries(rows.map(({ query, names }) => [query, names]));
}

it('lists for each run the tools of the servers of its case', async () => {
  await using engine = await openEngine();
  const id = await engine.start();
  await engine.drain(id);
  expect(definitions(engine, id)).toEqual({
    adds: 'add remove',
    looks: 'look',
    both: 'add look remove',
  });
});

it('lists with top k only the tools that the run was shown, also without its raw traffic', async () => {
  await using engine = await openEngine();
  const id = await engine.start({ topK: 1 });
  await engine.drain(id);
  await engine.service.deleteRawTraffic({ id });
  const { both, ...others } = definitions(engine, id);
  expect(others).toEqual({ adds: 'add', looks: 'look' });
  expect(both?.split(' ')).toHaveLength(1);
});

it('lists for a what-if the changed tools, without those that it removes', async () => {
  await using engine = await openEngine();
  const base = await engine.start();
  await engine.drain(base);
  const { id } = await engine.service.whatIf({
    id: base,
    modelSettingsId: null,
    changes: [{ kind: 'remove_tool', toolId: 's:add' }],
  });
  await engine.drain(id);
  expect(definitions(engine, id)).toEqual({
    adds: 'remove',
    looks: 'look',
    both: 'look remove',
  });
});

it('gives each run the tool that it selected by the id of its definition', async () => {
  await using engine = await openEngine();
  const id = await engine.start();
  await engine.drain(id);
  expect(
    engine.database.db
      .prepare(
        `SELECT k.query, r.status, d.name, d.test_run_id = r.id AS own FROM test_run_records r
         JOIN test_runs t ON t.id = r.id
         JOIN entries c ON c.evaluation_id = t.evaluation_id AND c.position = t.position
         JOIN entry_contents k ON k.hash = c.content_hash
         LEFT JOIN tool_definitions d ON d.id = r.selected_tool_id
         WHERE t.evaluation_id = ? ORDER BY k.query`,
      )
      .all(id),
  ).toEqual([
    { query: 'adds', status: 'completed', name: 'add', own: 1 },
    { query: 'both', status: 'completed', name: 'add', own: 1 },
    { query: 'looks', status: 'completed', name: 'look', own: 1 },
  ]);
});

it('lists no tool for a run that was stopped before its model was called', async () => {
  await using engine = await createEngine({
    servers: { ...servers, t: new Error('It is down.') },
    cases,
    script: async () => ({ calls: [] }),
  });
  const id = await engine.start();
  await engine.drain(id);
  expect(definitions(engine, id)).toEqual({ adds: 'add remove', looks: null, both: null });
});

it('lists the tools of the servers of a run that an earlier version stored', async () => {
  await using engine = await openEngine();
  const id = await engine.start();
  await engine.drain(id);
  engine.database.db.exec('UPDATE runs SET offered_list_id = NULL');
  expect(definitions(engine, id)).toEqual({
    adds: 'add remove',
    looks: 'look',
    both: 'add look remove',
  });
});
