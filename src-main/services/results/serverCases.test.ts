import { expect, it } from 'vitest';
import { openWith, resultsOf, run, tools } from './results.fixture.ts';

const add = { server: 's', tool: 'add' };
const either = { anyOf: [add, { server: 'other', tool: 'find' }] };

it('counts the cases of every tool of a server before it is evaluated', async () => {
  const { engine: opening } = openWith(
    [
      { query: '0', expected: [add] },
      { query: '1', expected: [either] },
      { query: '2', expected: [] },
      { query: '3', expected: [add, { server: 's', tool: 'remove' }] },
    ],
    { s: tools, other: [{ name: 'find' }] },
  );
  await using engine = await opening;
  const results = resultsOf(engine);
  expect(await results.serverCases({ server: 's' })).toEqual({
    evaluation: null,
    tools: [
      { name: 'add', cases: 3, scored: 0, passed: 0 },
      { name: 'remove', cases: 1, scored: 0, passed: 0 },
    ],
  });
  expect((await results.serverCases({ server: 'other' })).tools).toEqual([
    { name: 'find', cases: 1, scored: 0, passed: 0 },
  ]);
  expect(await results.serverCases({ server: 'nobody' })).toEqual({ evaluation: null, tools: [] });
});

it('tells how often the cases of a tool passed in the latest evaluation of its server', async () => {
  const { state, engine: opening } = openWith(
    Array.from({ length: 5 }, (_, at) => ({ query: `${at}`, expected: [add] })),
  );
  await using engine = await opening;
  const results = resultsOf(engine);
  state.rightUpTo = 5;
  await run(engine);
  state.rightUpTo = 2;
  const latest = await run(engine);
  const { id } = await engine.service.whatIf({
    id: latest,
    modelSettingsId: null,
    changes: [{ kind: 'remove_tool', toolId: 's:remove' }],
  });
  await engine.drain(id);
  expect(await results.serverCases({ server: 's' })).toEqual({
    evaluation: { id: latest, number: 2 },
    tools: [{ name: 'add', cases: 5, scored: 5, passed: 2 }],
  });
});

it('counts the runs of a case that several tools satisfy for each of them', async () => {
  const { state, engine: opening } = openWith(
    [
      { query: '0', expected: [{ anyOf: [add, { server: 's', tool: 'remove' }] }] },
      { query: '1', expected: [either, add] },
    ],
    { s: tools, other: [{ name: 'find' }] },
  );
  await using engine = await opening;
  const results = resultsOf(engine);
  state.rightUpTo = 1;
  await run(engine);
  expect((await results.serverCases({ server: 's' })).tools).toEqual([
    { name: 'add', cases: 2, scored: 2, passed: 1 },
    { name: 'remove', cases: 1, scored: 1, passed: 1 },
  ]);
  expect((await results.serverCases({ server: 'other' })).tools).toEqual([
    { name: 'find', cases: 1, scored: 1, passed: 0 },
  ]);
});
