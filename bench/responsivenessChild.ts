import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createServices } from '../src-main/app/createServices.ts';
import { startLoopback } from '../src-main/hosts/loopback/startLoopback.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { watchLoop } from '../src-main/testing/watchLoop.ts';
import type { HostBlock } from './measuredHost.ts';

/**
 * The loopback host with the bundled Todo server, as `touchstone open` starts it, observing its own
 * event loop. It answers each line of input with the longest block since the previous line, and the
 * peak memory of this process.
 */
const [folder = ''] = process.argv.slice(2);
const log = { info: () => undefined, error: (line: string) => process.stderr.write(`${line}\n`) };
const opened = await createServices({ host: 'loopback', folder, sample: true, log });
const host = await startLoopback({
  services: opened.services,
  rendererFolder: programFiles.renderer,
  port: 0,
  log,
});
using loop = watchLoop();
process.stdout.write(`${JSON.stringify(host.endpoint)}\n`);
for await (const _line of createInterface({ input: createReadStream('', { fd: 0 }) })) {
  const taken: HostBlock = { ...loop.take(), peakMb: process.resourceUsage().maxRSS / 1024 };
  process.stdout.write(`${JSON.stringify(taken)}\n`);
}
await host.close();
await opened.close();
