import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createServices } from '../src-main/createServices.ts';
import { startLoopback } from '../src-main/hosts/loopback/startLoopback.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import type { LoopBlock } from './responsiveness.ts';

/**
 * The loopback host with the bundled Todo server, as `touchstone open` starts it, observing its own
 * event loop. It answers each line of input with the longest block since the previous line and the
 * most CPU time of this thread in one block: on a busy machine a block can be long without much
 * work.
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
const tickMs = 5;
const computingMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let [last, used] = [performance.now(), computingMs()];
let longest: LoopBlock = { ms: 0, computingMs: 0 };
const look = () => {
  const [now, usedNow] = [performance.now(), computingMs()];
  const gap = { ms: Math.max(0, now - last - tickMs), computingMs: usedNow - used };
  if (gap.ms > longest.ms) longest = { ...longest, ms: gap.ms };
  if (gap.computingMs > longest.computingMs) longest = { ...longest, computingMs: gap.computingMs };
  [last, used] = [now, usedNow];
};
const ticker = setInterval(look, tickMs);
process.stdout.write(`${JSON.stringify(host.endpoint)}\n`);
for await (const _line of createInterface({ input: createReadStream('', { fd: 0 }) })) {
  look();
  process.stdout.write(`${JSON.stringify(longest)}\n`);
  longest = { ms: 0, computingMs: 0 };
}
clearInterval(ticker);
await host.close();
await opened.close();
