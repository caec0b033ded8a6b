import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoopBlock } from '../src-main/testing/watchLoop.ts';

/** What a child program measured of itself. */
export interface Taken {
  ms: number;
  peakMegabytes: number;
  /** Only of a program that watches its event loop. */
  block?: LoopBlock;
}

/**
 * With a large heap, garbage is collected late, for the bare SDK as well. Only a small heap shows
 * how much memory is needed.
 */
export const smallHeap = ['--max-old-space-size=96'];
const script = (name: string) => join(import.meta.dirname, name);

/** Runs work against an endpoint that answers after the given number of milliseconds. */
export async function withEndpoint<Result>(
  { latencyMs, answers = 'cases' }: { latencyMs: number; answers?: 'cases' | 'tasks' },
  work: (run: (name: string, count: number, flags?: string[]) => Promise<Taken>) => Promise<Result>,
): Promise<Result> {
  const server = spawn(
    process.execPath,
    [script('modelServerChild.ts'), String(latencyMs), answers],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  try {
    const [address] = (await once(server.stdout, 'data')) as [Buffer];
    return await work(async (name, count, flags = []) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...flags, script(name), String(count), address.toString().trim()],
        { maxBuffer: 1 << 20 },
      );
      return JSON.parse(stdout) as Taken;
    });
  } finally {
    server.stdin.end();
    if (server.exitCode === null) await once(server, 'exit');
  }
}
