import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ratioRow, type Row } from './report.ts';

interface Taken {
  ms: number;
  peakMegabytes: number;
}

async function child(script: string, cases: number): Promise<Taken> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, script), String(cases)],
    { maxBuffer: 1 << 20 },
  );
  return JSON.parse(stdout) as Taken;
}

/** The median of three runs, because the machine may be busy with something else. */
async function middle(script: string, cases: number): Promise<Taken> {
  const runs = [];
  for (let round = 0; round < 3; round += 1) runs.push(await child(script, cases));
  return runs.sort((a, b) => a.ms - b.ms)[1] ?? { ms: 0, peakMegabytes: 0 };
}

/**
 * A well-known evaluation tool with an echo provider, 10,000 cases on two cores. Measured once, not
 * in this run.
 */
const peer = { ms: 43_000, peakMegabytes: 1_000 };

export async function benchEvaluations(): Promise<Row[]> {
  const bare = await middle('bareLoopChild.ts', 10_000);
  const whole = await middle('evaluationChild.ts', 10_000);
  const small = await child('evaluationChild.ts', 1_000);
  return [
    ratioRow(
      'evaluation of 10,000 cases × 50 tools, builtin',
      whole.ms,
      'ms',
      'bare loop with the same rows',
      bare.ms,
      2,
    ),
    ratioRow(
      'the same against a peer with an echo provider',
      whole.ms,
      'ms',
      'peer, measured elsewhere',
      peer.ms,
      0.1,
    ),
    ratioRow('its peak memory', whole.peakMegabytes, 'MB', 'bound', 300, 1),
    ratioRow(
      'its peak memory against 1,000 cases',
      whole.peakMegabytes,
      'MB',
      '1,000 cases',
      small.peakMegabytes,
      1.5,
    ),
  ];
}
