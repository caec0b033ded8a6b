import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { createFindToolServer, type FindToolOptions } from './findToolServer.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Serves until standard input ends, the reader of standard output is gone, or SIGINT or SIGTERM
 * arrives.
 */
export async function serveFindTool(options: FindToolOptions): Promise<void> {
  const server = createFindToolServer(options);
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  server.server.onclose = end;
  server.server.onerror = (error) =>
    void process.stderr.write(`find_tool server: message not understood: ${error.name}\n`);
  process.stdin.once('end', end).once('close', end);
  process.stdout.on('error', end);
  for (const signal of signals) process.on(signal, end);
  try {
    await server.connect(new StdioServerTransport());
    await ended.promise;
    // Calls that came together with the end of the input are answered first.
    await yieldToEventLoop();
    await server.close();
  } finally {
    process.stdin.off('end', end).off('close', end);
    for (const signal of signals) process.off(signal, end);
    process.stdin.destroy();
  }
}
