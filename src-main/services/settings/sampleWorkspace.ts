import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../store/store.ts';
import { serverUrl } from '../servers/serverUrl.ts';
import type { SuitesService } from '../suites/suitesService.ts';

const server = {
  name: 'todo',
  config: {
    transport: 'stdio' as const,
    command: 'touchstone',
    args: ['serve-todo', '--stdio'],
    cwd: null,
    env: {},
  },
};

/**
 * Adds the built-in Todo server and its suite to an empty workspace, once: a user who deleted them
 * does not get them again.
 */
export async function addSample(
  store: Store,
  suites: SuitesService,
  datasets: string,
): Promise<void> {
  if (store.settings.isMarked('sample')) return;
  const fileName = 'todo-sample.suite.yaml';
  const text = await readFile(join(datasets, 'sample', fileName), 'utf8');
  if (store.servers.list().length === 0 && store.suites.list().length === 0) {
    // The suite comes first: if its import fails, nothing is left behind and the next start tries
    // again.
    await suites.import(
      { fileName, text, replace: false },
      { signal: new AbortController().signal },
    );
    store.servers.insert({ ...server, url: serverUrl(server.config) });
  }
  store.settings.mark('sample');
}
