import { describe, expect, it } from 'vitest';
import { cases, openWith, resultsOf, run, tools } from './results.fixture.ts';

describe('latencies of an evaluation', () => {
  it('have the quantiles of the summary and count every timed run once', async () => {
    const { engine: opening } = openWith(cases(5), { s: tools });
    await using engine = await opening;
    const id = await run(engine);
    const [model, ...others] = await resultsOf(engine).latencies({ id });
    expect(others).toEqual([]);
    const { latencyMs } = await engine.service.summary({ id, modelSettingsId: null });
    expect(model).toMatchObject({ n: 5, ...latencyMs });
    expect(model?.counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  });
});
