import { smallHeap, withEndpoint, type Taken } from './endpoint.ts';
import { ratioRow, type Row } from './report.ts';

const tasks = 1_000;
const blockBoundMs = 200;

/**
 * Evaluations of tasks over HTTP: the cost of judging, storing and publishing whole trajectories
 * compared with the same conversations held by the official SDK.
 */
export async function benchTasks(): Promise<Row[]> {
  return withEndpoint({ latencyMs: 0, answers: 'tasks' }, async (run) => {
    const taken: { whole: Taken; bare: Taken }[] = [];
    // Alternates both, so that disturbances affect them equally.
    for (let round = 0; round < 3; round += 1)
      taken.push({
        bare: await run('taskLoopChild.ts', tasks),
        whole: await run('taskEvaluationChild.ts', tasks),
      });
    const middle = taken.sort((a, b) => a.whole.ms / a.bare.ms - b.whole.ms / b.bare.ms)[1];
    if (!middle) throw new Error('Nothing was measured.');
    const small = await run('taskEvaluationChild.ts', tasks / 10, smallHeap);
    const large = await run('taskEvaluationChild.ts', tasks, smallHeap);
    return [
      ratioRow(
        'evaluation of 1,000 tasks × 5 steps over HTTP at 0 ms, stub results, concurrency 32',
        middle.whole.ms,
        'ms',
        'the SDK alone, storing nothing',
        middle.bare.ms,
        1.5,
      ),
      ratioRow(
        'most computing in one turn of the event loop during 1,000 tasks',
        Math.max(...taken.map(({ whole }) => whole.block?.computingMs ?? Infinity)),
        'ms',
        'bound',
        blockBoundMs,
        1,
      ),
      ratioRow(
        'peak memory of 1,000 tasks over HTTP, in a heap of 96 MB',
        large.peakMegabytes,
        'MB',
        '100 tasks',
        small.peakMegabytes,
        1.25,
      ),
    ];
  });
}
