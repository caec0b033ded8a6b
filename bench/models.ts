import { smallHeap, withEndpoint, type Taken } from './endpoint.ts';
import { ratioRow, type Row } from './report.ts';

/**
 * Evaluations of models over HTTP: the cost of storing and publishing compared with the official
 * SDK, and how close the throughput comes to the ideal.
 */
export async function benchModels(): Promise<Row[]> {
  const rounds = 3;
  const quick = await withEndpoint({ latencyMs: 0 }, async (run) => {
    const taken: { whole: Taken; bare: Taken }[] = [];
    // Alternates both, so that disturbances affect them equally.
    for (let round = 0; round < rounds; round += 1)
      taken.push({
        bare: await run('sdkLoopChild.ts', 3_000),
        whole: await run('modelEvaluationChild.ts', 3_000),
      });
    const [small, large] = [
      await run('modelEvaluationChild.ts', 300, smallHeap),
      await run('modelEvaluationChild.ts', 3_000, smallHeap),
    ];
    return {
      ...(taken.sort((a, b) => a.whole.ms / a.bare.ms - b.whole.ms / b.bare.ms)[1] ?? taken[0]),
      small,
      large,
    };
  });
  const cases = 1_600;
  const slow = await withEndpoint({ latencyMs: 200 }, (run) =>
    run('modelEvaluationChild.ts', cases),
  );
  if (!quick.whole || !quick.bare) throw new Error('Nothing was measured.');
  return [
    ratioRow(
      'evaluation of 3,000 cases × 50 tools over HTTP at 0 ms, concurrency 32',
      quick.whole.ms,
      'ms',
      'the SDK alone, storing nothing',
      quick.bare.ms,
      1.3,
    ),
    ratioRow(
      '1,600 cases at 200 ms, concurrency 32',
      slow.ms,
      'ms',
      'ideal',
      (cases / 32) * 200,
      1 / 0.9,
    ),
    ratioRow(
      'peak memory of 3,000 cases over HTTP, in a heap of 96 MB',
      quick.large.peakMegabytes,
      'MB',
      '300 cases',
      quick.small.peakMegabytes,
      1.5,
    ),
  ];
}
