import { describe, expect, it } from 'vitest';
import { halfOf } from '../../../../src-shared/metrics/candidateProof.ts';
import { call, createEngine, type FakeCase } from '../../../testing/engine.ts';

const list = { filter: {}, sort: 'position', descending: false } as const;
const parameters = { due: '2026-03-04' };
/** Each request has a verb that no definition has, and half of them fail by a value. */
const cases: FakeCase[] = ['milk', 'bread', 'soap', 'salt', 'rice', 'eggs']
  .flatMap((thing) => [`remember the ${thing}`, `remember the ${thing} as called`])
  .map((query) => ({ query, expected: [{ server: 's', tool: 'add', parameters }] }));

describe('the page of a run', () => {
  it('advises no text that is made of a held-out case, and says that it is held out', async () => {
    const inputSchema = { type: 'object', properties: { due: { type: 'string' } } };
    await using engine = await createEngine({
      servers: { s: [{ name: 'add', description: 'Adds one.', inputSchema }] },
      cases,
      script: async ({ query }) => ({
        calls: query.endsWith('called') ? [call('s', 'add', { due: 'tomorrow' })] : [],
      }),
    });
    const id = await engine.start();
    await engine.drain(id);
    const { rows } = await engine.service.runs({ id, ...list, offset: 0, limit: 100 });
    const seen = { search: 0, proof: 0 };
    for (const { runId, caseKey, query } of rows) {
      const { score, case: shown } = await engine.service.run({ id, ...list, runId });
      const advice = score?.recommendations.map(({ message }) => message).join('\n') ?? '';
      const own = /remember|2026-03-04/u;
      const half = halfOf(caseKey);
      seen[half] += 1;
      // The page still shows the request itself.
      expect(shown.query).toBe(query);
      if (half === 'search') expect(advice).toMatch(own);
      else {
        expect(advice).not.toMatch(own);
        expect(advice).toContain(
          'This case is held out for proofs, so no text for s:add is made of its request.',
        );
      }
    }
    expect(Math.min(seen.search, seen.proof)).toBeGreaterThan(1);
  });

  it('keeps what it advises about a held-out case without using its words', async () => {
    await using engine = await createEngine({
      servers: {
        s: [
          { name: 'add_task', description: 'Adds a task to the list.' },
          { name: 'list_tasks', description: 'Lists the tasks.' },
        ],
      },
      cases: cases.map(({ query }) => ({ query, expected: [{ server: 's', tool: 'add_task' }] })),
      script: async () => ({ calls: [call('s', 'list_tasks')] }),
    });
    const id = await engine.start();
    await engine.drain(id);
    const { rows } = await engine.service.runs({ id, ...list, offset: 0, limit: 100 });
    for (const { runId } of rows) {
      const { score } = await engine.service.run({ id, ...list, runId });
      expect(score?.recommendations.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^Say in list_tasks when to use add_task/u),
      );
    }
  });
});
