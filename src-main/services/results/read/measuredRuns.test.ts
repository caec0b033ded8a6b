import { expect, it } from 'vitest';
import type { RunFilter } from '../../../../src-shared/domain/evaluation.ts';
import { call, createEngine } from '../../../testing/engine.ts';
import { measuredRuns, type MeasuredRun } from './measuredRuns.ts';

const count = 250;

/** Calls `see` with the runs of an evaluation in which every tenth case fails. */
async function readRuns(
  filter: RunFilter,
  see: (run: MeasuredRun, stop: AbortController) => void,
): Promise<void> {
  await using engine = await createEngine({
    servers: { s: [{ name: 'add' }, { name: 'remove' }] },
    cases: Array.from({ length: count }, (_, at) => ({
      query: `add ${at}`,
      expected: [{ server: 's', tool: 'add' }],
    })),
    script: async ({ query }) => ({ calls: [call('s', query.endsWith('7') ? 'remove' : 'add')] }),
  });
  const id = await engine.start();
  await engine.drain(id);
  const { store } = engine.database;
  const evaluation = store.evaluations.get('case', id);
  if (evaluation === null) throw new Error('The evaluation is gone.');
  const stop = new AbortController();
  const parts = { store, reader: engine.reader };
  for await (const run of measuredRuns(parts, evaluation, filter, stop.signal)) see(run, stop);
}

it('all runs that a filter leaves come in the order of the suite, with what differs', async () => {
  const seen: [query: string, differences: number][] = [];
  await readRuns({ outcome: ['wrong_tool'] }, ({ query, differences }) => {
    seen.push([query, differences.length]);
  });
  expect(seen).toEqual(Array.from({ length: count / 10 }, (_, at) => [`add ${at * 10 + 7}`, 1]));
});

it('a reader that is aborted gets no run of a further slice', async () => {
  const seen: number[] = [];
  const reading = readRuns({}, ({ position }, stop) => {
    seen.push(position);
    stop.abort();
  });
  await expect(reading).rejects.toThrow('aborted');
  expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => at));
});
