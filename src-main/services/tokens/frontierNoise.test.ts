import { describe, expect, it } from 'vitest';
import { frontierRequest } from '../../../src-shared/domain/tokenReport.ts';
import { addSuite, callOptions, createModelWorkspace } from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();
const tools = Array.from({ length: 12 }, (_, n) => ({
  name: `tool_${n}`,
  description: `Handles subject${n} requests.`,
}));

/** 40 cases, of which the first `lost` describe another tool than the one that is expected. */
const queries = (lost: number): [string, string][] =>
  Array.from({ length: 40 }, (_, at) => {
    const wanted = at % tools.length;
    const described = at < lost ? (wanted + 1) % tools.length : wanted;
    return [`Please handle subject${described} requests [${wanted}] x${at}`, `tool_${wanted}`];
  });

/** Measures k = 1 and k = 2 against all tools, with a model that calls what is named if it can. */
async function measure(lost: number, ks: (number | null)[]) {
  const services = await workspace.open(`frontier-${lost}-${ks.length}`, tools);
  workspace.rule = ({ query, toolNames }) => {
    const name = `s__tool_${/\[(\d+)\]/.exec(query)?.[1] ?? ''}`;
    return toolNames.includes(name)
      ? { does: 'answer', calls: [{ name, arguments: {} }] }
      : { does: 'answer', text: 'No.' };
  };
  const suiteId = await addSuite(services, queries(lost));
  const started = await services.tokens.startFrontier(
    frontierRequest.parse({
      suiteId,
      model: {
        provider: 'openai',
        model: 'm',
        baseUrl: `${workspace.server.origin}/v1`,
        maxRetries: 0,
      },
      ks,
      retrievers: ['default'],
      concurrency: 8,
    }),
  );
  for (const { evaluationId } of started.points)
    for await (const _event of services.evaluations.watch(
      { id: evaluationId, afterSeq: 0 },
      callOptions,
    ));
  const frontier = await services.tokens.frontier({ id: started.id });
  const idOf = (k: number | null) =>
    frontier.points.find((point) => point.k === k)?.evaluationId ?? '';
  const { candidates } = await services.results.compare({
    baseline: { id: idOf(null), modelSettingsId: null },
    candidates: ks.flatMap((k) => (k === null ? [] : [{ id: idOf(k), modelSettingsId: null }])),
    passedWhen: 'selection',
  });
  return { frontier, candidates };
}

describe('accuracy vs. tokens', () => {
  it('says within noise where a comparison does: 5 of 40 cases lost', async () => {
    const { frontier, candidates } = await measure(5, [1, null]);
    // 5 lost and none won: p = 2 · 0.5⁵. A bootstrap interval of −12.5 points excludes 0.
    expect(candidates[0]).toMatchObject({ answer: 'cannot tell', pValue: 0.0625 });
    const [point] = frontier.points;
    expect(point?.difference).toMatchObject({
      value: -0.125,
      n: 40,
      pValue: 0.0625,
      adjustedP: 0.0625,
      answer: 'cannot tell',
    });
    expect(point?.difference).toMatchObject(candidates[0]?.difference ?? {});
    expect(frontier.answers).toMatchObject([
      { k: null, sentence: expect.stringContaining('within noise (n 40)') },
    ]);
  });

  it('adjusts the p-values of all k, as a comparison of all candidates does', async () => {
    // 6 lost: p = 2 · 0.5⁶ = 0.03125 alone, twice that for two values of k.
    const alone = await measure(6, [1, null]);
    expect(alone.frontier.answers).toMatchObject([{ k: 1 }]);
    expect(alone.frontier.answers[0]?.sentence).toContain('p 0.031');
    const both = await measure(6, [1, 2, null]);
    const point = both.frontier.points.find(({ k }) => k === 1);
    expect(both.candidates[0]?.answer).toBe(point?.difference?.answer);
    expect(point?.difference?.adjustedP).toBe(both.candidates[0]?.adjustedP);
  });
});
