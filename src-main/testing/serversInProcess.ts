import { spawnTree, type ProcessTree, type TreeOptions } from '../adapters/process/spawnTree.ts';
import { fakeInProcess } from './fakeMcpServer/inProcess.ts';
import { startInProcess } from './inProcess.ts';
import { todoInProcess } from './todoInProcess.ts';

/**
 * Starts the program of a server, but the Todo server and a calm fake server in the process of the
 * test: a process of its own costs 150 ms of CPU time. A test whose subject is the process of a
 * server sets `serverPrograms.start` to `spawnTree`.
 */
export async function startServerInProcess(options: TreeOptions): Promise<ProcessTree> {
  const serve = todoInProcess(options) ?? fakeInProcess(options);
  return serve === null ? spawnTree(options) : startInProcess(options, serve);
}
