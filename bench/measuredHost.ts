import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectToHost, type HostConnection } from '../src-main/endpoint/client.ts';
import type { LoopBlock } from '../src-main/testing/watchLoop.ts';

/** The longest turn of the host's event loop, and the peak memory of its process. */
export interface HostBlock extends LoopBlock {
  peakMb: number;
}

export type { HostConnection };

export interface MeasuredHost {
  connect(): Promise<HostConnection>;
  /** The longest block of its event loop since the last call. */
  longestBlock(): Promise<HostBlock>;
  close(): Promise<void>;
}

/** Starts the loopback host in a process of its own. */
export async function startMeasuredHost(folder: string): Promise<MeasuredHost> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'responsivenessChild.ts'), folder],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The host ended.');
    return JSON.parse(value) as T;
  };
  const endpoint = await next<{ port: number; token: string }>();
  return {
    connect: () => connectToHost(endpoint),
    longestBlock: () => {
      child.stdin.write('\n');
      return next<HostBlock>();
    },
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
