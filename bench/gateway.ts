import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../src-shared/metrics/quantile.ts';
import { createServices } from '../src-main/app/createServices.ts';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { testedProgram } from '../src-main/testing/testedProgram.ts';
import { ratioRow, type Row } from './report.ts';

const calls = 1_000;
const warmUp = 100;
/** What a call may take longer through the gateway, at the median. */
const promisedMs = 2;

/** The median time of a call of the official client, in milliseconds. */
async function medianCall(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  const times: number[] = [];
  for (let call = 0; call < warmUp + calls; call += 1) {
    const start = performance.now();
    await client.callTool({ name: 'echo', arguments: { text: `call ${call}` } });
    if (call >= warmUp) times.push(performance.now() - start);
  }
  await client.close();
  return quantile(times, 0.5) ?? 0;
}

/** What the gateway adds to a call, while it records it. */
export async function benchGateway(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const config = fakeStdioServer();
  const env = { PATH: process.env['PATH'] ?? '', TOUCHSTONE_HOME: folder };
  try {
    const opened = await createServices({ host: 'cli', folder });
    await opened.services.servers.create({ name: 'echo', config });
    await opened.close();
    const direct = await medianCall(config.command, config.args, env);
    const gateway = [testedProgram, 'gateway', 'echo', '--record', join(folder, 'calls.jsonl')];
    const passed = await medianCall(process.execPath, gateway, env);
    return [
      ratioRow(
        `what a recording gateway adds to a call at the median (${calls.toLocaleString('en')} calls, ${direct.toPrecision(2)} ms without)`,
        passed - direct,
        'ms',
        'bound',
        promisedMs,
        1,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
