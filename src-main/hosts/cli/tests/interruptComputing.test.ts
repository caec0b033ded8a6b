import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCommand } from '../../../testing/commandLine.ts';
import { sampled } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/** Each says that it is deprecated and names another: each pair of tools is compared. */
const tools = Array.from({ length: 5_000 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Deprecated. Use tool_${at + 1} instead. Searches item ${at} of the catalog.`,
  inputSchema: { type: 'object', properties: { item: { type: 'string' } } },
}));

/**
 * Sends the signal from another thread of the command, once its main thread has computed for so many
 * ms since it read the tools, and says when on standard error.
 */
const interruption = (signal: string, afterMs: number, file: string): string => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { isMainThread, Worker } from 'node:worker_threads';
  if (isMainThread) {
    const { promises } = fs;
    let started = false;
    const start = (path) => {
      if (started || !String(path).endsWith(${JSON.stringify(file)})) return;
      started = true;
      new Worker(\`
        const { writeSync } = require('node:fs');
        const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
        const from = used();
        const cell = new Int32Array(new SharedArrayBuffer(4));
        while (used() - from < ${afterMs}) Atomics.wait(cell, 0, 0, 5);
        writeSync(2, 'sent ' + Date.now() + '\\\\n');
        process.kill(process.pid, '${signal}');
      \`, { eval: true, execArgv: [], env: {} }).unref();
    };
    for (const [owner, name] of [[fs, 'readFileSync'], [fs, 'openSync'], [fs, 'open'], [fs, 'createReadStream'], [promises, 'readFile'], [promises, 'open']]) {
      const real = owner[name];
      owner[name] = (path, ...rest) => { start(path); return real.call(owner, path, ...rest); };
    }
    syncBuiltinESMExports();
  }`;

let folder: TemporaryFolder;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  file = `${folder.path}/interrupted.json`;
  writeFileSync(file, JSON.stringify({ tools }));
});
afterAll(() => folder.remove());

/** The moments of those that take seconds are always in their midst. */
const long = { lint: [150, 1_500], 'similarity --recommend': [150, 1_500] };
const short = { clients: [150], tokens: [150] };
const moments = ['SIGINT', 'SIGTERM'].flatMap((signal) =>
  Object.entries({ ...long, ...short }).flatMap(([command, each]) =>
    each.map((afterMs) => [signal, command, afterMs] as const),
  ),
);

describe.runIf(process.platform !== 'win32')('a command that computes over 5,000 tools', () => {
  // The other signal ends commands that compute in the same way, and short ones are soon done.
  it.each(
    sampled(
      moments,
      ([signal, command, afterMs]) =>
        signal === 'SIGTERM' && Object.hasOwn(long, command) && afterMs === 150,
    ),
  )('%s ends %s within 5 s, %i ms after it read them', async (signal, command, ms) => {
    const args = [...command.split(' '), '--tools', file];
    const hook = interruption(signal, ms, 'interrupted.json');
    const child = startCommand(args, {
      workspace: `${folder.path}/none`,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    });
    child.stdin.end();
    const [, said, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    const endedAt = Date.now();
    const sentAt = Number(/sent (\d+)/.exec(said)?.[1] ?? Number.NaN);
    if (Object.hasOwn(long, command)) expect([sentAt > 0, code]).toEqual([true, 3]);
    // A short command may be done before its moment.
    if (sentAt > 0) expect(endedAt - sentAt).toBeLessThan(5_000);
    else expect(code).toBe(0);
  });
});
