import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import type { WorkshopBackend } from '../../services/workshop/serving.ts';
import {
  announceChanges,
  createWorkshopServer,
  logToStandardError,
  type WorkshopLog,
} from './workshopServer.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Serves until standard input ends, the reader of standard output is gone, or SIGINT or SIGTERM
 * arrives; calls under way are cancelled then.
 */
export async function serveWorkshopOverStdio({
  backend,
  log = logToStandardError,
}: {
  backend: WorkshopBackend;
  log?: WorkshopLog;
}): Promise<void> {
  const connection = createWorkshopServer(backend, log);
  const ended = Promise.withResolvers<void>();
  const watching = new AbortController();
  const end = (): void => ended.resolve();
  connection.server.onclose = end;
  connection.server.onerror = (error) => log(`message not understood: ${error.name}`);
  process.stdin.once('end', end).once('close', end);
  process.stdout.on('error', end);
  for (const signal of signals) process.on(signal, end);
  try {
    await connection.connect(new StdioServerTransport());
    const announcing = announceChanges(backend, () => [connection], watching.signal, log);
    await ended.promise;
    // Calls that came together with the end of the input are answered first.
    await yieldToEventLoop();
    watching.abort();
    await connection.close();
    await announcing;
  } finally {
    watching.abort();
    process.stdin.off('end', end).off('close', end);
    for (const signal of signals) process.off(signal, end);
    process.stdin.destroy();
  }
}
