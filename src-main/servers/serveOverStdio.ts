import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { yieldToEventLoop } from '../runtime/yieldToEventLoop.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

export interface StdioOptions {
  log: (line: string) => void;
  onConnected?: () => void;
  /** Called before the server is closed. */
  onEnding?: () => void;
}

/**
 * Serves until standard input ends, the reader of standard output is gone, or SIGINT or SIGTERM
 * arrives; then closes the server.
 */
export async function serveOverStdio(
  server: McpServer,
  { log, onConnected, onEnding }: StdioOptions,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  server.server.onclose = end;
  server.server.onerror = (error) => log(`message not understood: ${error.name}`);
  process.stdin.once('end', end).once('close', end);
  process.stdout.on('error', end);
  for (const signal of signals) process.on(signal, end);
  try {
    await server.connect(new StdioServerTransport());
    onConnected?.();
    await ended.promise;
    // Calls that came together with the end of the input are answered first.
    await yieldToEventLoop();
    onEnding?.();
    await server.close();
  } finally {
    process.stdin.off('end', end).off('close', end);
    for (const signal of signals) process.off(signal, end);
    process.stdin.destroy();
  }
}
