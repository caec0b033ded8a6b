import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServices } from '../src-main/createServices.ts';
import { fakeStdioServer } from '../src-main/testing/fakeMcpServer/start.ts';
import { ratioRow, type Row } from './report.ts';

const promisedBlockMs = 200;

/** The longest time for which nothing else could run while `work` was under way. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return longest;
}

/** 5,000 tools in 20 MB, from the server's pipe to the answer on the screen. */
export async function benchServers(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const opened = await createServices({ host: 'cli', folder, nextId: randomUUID });
  const options = { signal: new AbortController().signal };
  try {
    const { servers } = opened.services;
    const { id } = await servers.create({ name: 'many', config: fakeStdioServer('many-tools') }, options);
    await servers.check({ id }, options);
    const listing = await longestBlock(() => servers.refreshTools({ id }, options));
    const showing = await longestBlock(() => servers.get({ id }, options));
    return [
      ratioRow('longest stop while 5,000 tools (20 MB) are listed', listing, 'ms', 'bound', promisedBlockMs, 1),
      ratioRow('longest stop while they are shown', showing, 'ms', 'bound', promisedBlockMs, 1),
    ];
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
