import { expect, it } from 'vitest';
import { suiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { call, createEngine } from '../../testing/engine.ts';
import { keysOfCases } from './proofKeys.ts';

const suiteOf = (name: string, query: (id: string) => string) =>
  suiteFile.parse({
    version: 1,
    name,
    servers: ['s'],
    cases: Array.from({ length: 12 }, (_, at) => ({
      id: `c-${at}`,
      name: `c-${at}`,
      query: query(`c-${at}`),
      expected_calls: [{ server: 's', tool: 'add' }],
    })),
  });

it('a suite file is known by the requests of its proof half, whatever it is called', async () => {
  await using engine = await createEngine({
    servers: { s: [{ name: 'add' }] },
    cases: [{ query: 'q' }],
    script: async () => ({ calls: [call('s', 'add')] }),
  });
  const { store } = engine.database;
  const keysOf = async (suite?: ReturnType<typeof suiteOf>) => {
    const id = await engine.start(suite ? { suiteId: null, inline: { suite } } : {});
    await engine.drain(id);
    const row = store.evaluations.get('case', id);
    if (!row) throw new Error('The evaluation is missing.');
    return keysOfCases(store, row);
  };
  const [first, older] = await keysOf(suiteOf('one', (id) => `add ${id}`));
  expect(older).toBe('one');
  expect((await keysOf(suiteOf('two', (id) => `add ${id}`)))[0]).toBe(first);
  const otherSearch = (id: string) => (halfOf(id) === 'search' ? `put ${id}` : `add ${id}`);
  expect((await keysOf(suiteOf('one', otherSearch)))[0]).toBe(first);
  const otherProof = (id: string) => (halfOf(id) === 'proof' ? `put ${id}` : `add ${id}`);
  expect((await keysOf(suiteOf('one', otherProof)))[0]).not.toBe(first);
  expect(await keysOf()).toEqual([engine.suiteId]);
});

it('proofs of a suite file count on, also those that were counted under its name', async () => {
  await using engine = await createEngine({
    servers: { s: [{ name: 'add' }] },
    cases: [{ query: 'q' }],
    script: async () => ({ calls: [call('s', 'add')] }),
  });
  const { store } = engine.database;
  const add = (suite: string) =>
    store.candidates.insert({
      suite,
      unit: 'case',
      baseEvaluationId: 'e',
      baseNumber: 1,
      modelSettingsId: 'm',
      modelName: 'm',
      toolId: 's:add',
      source: 'hand',
      edits: [],
    }).id;
  const keys = ['requests:1', 'one'];
  const [old, next] = [add('one'), add('requests:1')];
  store.candidates.startProof(old, 'p', ['one']);
  expect(store.candidates.proved(keys)).toBe(1);
  store.candidates.startProof(next, 'p', keys);
  expect(store.candidates.get(next)?.proofRank).toBe(2);
  expect(store.candidates.proved(['requests:2', 'two'])).toBe(0);
});
