import { watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import config from '../electron.vite.config.ts';
import { startHostProcess } from './dev/hostProcess.ts';
import { startPageServer } from './dev/pageServer.ts';

// `npm run dev`: the app in a browser, from its source files. A changed module of the renderer is
// replaced in the page; a change of the core restarts the host, and the page connects to it again.

const { values } = parseArgs({
  options: { workspace: { type: 'string' }, port: { type: 'string' } },
});
const root = join(import.meta.dirname, '..');
const workspace = values.workspace ?? join(root, 'out', 'dev-workspace');
const port = values.port === undefined ? undefined : Number(values.port);

const host = startHostProcess(root, workspace);
const pages = await startPageServer(root, host, config.renderer?.plugins, port);

/** How long the host waits for more changes: an editor or a branch switch writes several files. */
const settleMs = 100;
let ending = false;
let pending: NodeJS.Timeout | undefined;
const restart = async (): Promise<void> => {
  try {
    await host.restart();
    console.log('Host restarted.');
  } catch (error) {
    if (!ending) console.log(error instanceof Error ? error.message : String(error));
  }
};
const watchers = ['src-main', 'src-shared', 'migrations'].map((folder) =>
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (file !== null && /\.test\.ts$/.test(file)) return;
    clearTimeout(pending);
    pending = setTimeout(() => void restart(), settleMs);
  }),
);

const end = async (): Promise<void> => {
  if (ending) return;
  ending = true;
  clearTimeout(pending);
  for (const watcher of watchers) watcher.close();
  await Promise.all([pages.close(), host.stop()]);
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());

await host.access().catch((error: unknown) => console.log(String(error)));
console.log(pages.newUrl());
console.log('The link works once. Press Enter for a new one, Ctrl-C to quit.');
createInterface({ input: process.stdin }).on('line', () => console.log(pages.newUrl()));
