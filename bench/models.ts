import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ratioRow, type Row } from './report.ts';

interface Taken {
  ms: number;
  peakMegabytes: number;
}

const smallHeap = ['--max-old-space-size=96'];
const script = (name: string) => join(import.meta.dirname, name);

/** Runs work against an endpoint that answers after the given number of milliseconds. */
async function withEndpoint<Result>(
  latencyMs: number,
  work: (run: (name: string, cases: number, flags?: string[]) => Promise<Taken>) => Promise<Result>,
): Promise<Result> {
  const server = spawn(process.execPath, [script('modelServerChild.ts'), String(latencyMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(server.stdout, 'data')) as [Buffer];
    return await work(async (name, cases, flags = []) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...flags, script(name), String(cases), address.toString().trim()],
        { maxBuffer: 1 << 20 },
      );
      return JSON.parse(stdout) as Taken;
    });
  } finally {
    server.stdin.end();
    if (server.exitCode === null) await once(server, 'exit');
  }
}

/**
 * Evaluations of models over HTTP: the cost of storing and publishing compared with the official
 * SDK, and how close the throughput comes to the ideal.
 */
export async function benchModels(): Promise<Row[]> {
  const rounds = 3;
  const quick = await withEndpoint(0, async (run) => {
    const taken: { whole: Taken; bare: Taken }[] = [];
    // Alternates both, so that disturbances affect them equally.
    for (let round = 0; round < rounds; round += 1)
      taken.push({
        bare: await run('sdkLoopChild.ts', 3_000),
        whole: await run('modelEvaluationChild.ts', 3_000),
      });
    // With a large heap, garbage is collected late, for the bare SDK as well. Only a small heap
    // shows how much memory is needed.
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
  const slow = await withEndpoint(200, (run) => run('modelEvaluationChild.ts', cases));
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
