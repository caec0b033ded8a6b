import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import {
  createTodoServer,
  logToStandardError,
  systemTime,
  type TodoServerOptions,
} from './todoServer.ts';
import { TodoStore } from './todoStore.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Serves until standard input ends, the reader of standard output is gone, or SIGINT or SIGTERM
 * arrives; then everything is closed.
 */
export async function serveTodoOverStdio({
  file,
  clock = systemTime,
  log = logToStandardError,
}: TodoServerOptions): Promise<void> {
  const store = new TodoStore(file, clock);
  const server = createTodoServer(store, log);
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  const transport = new StdioServerTransport();
  server.server.onclose = end;
  server.server.onerror = (error) => log(`message not understood: ${error.name}`);
  process.stdin.once('end', end).once('close', end);
  process.stdout.on('error', end);
  for (const signal of signals) process.on(signal, end);
  try {
    await server.connect(transport);
    await ended.promise;
    // Calls that came together with the end of the input are answered first.
    await yieldToEventLoop();
    await server.close();
  } finally {
    store.close();
    process.stdin.off('end', end).off('close', end);
    for (const signal of signals) process.off(signal, end);
    process.stdin.destroy();
  }
}
