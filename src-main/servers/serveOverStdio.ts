import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { LimitedLines } from './limitedLines.ts';
import { yieldToEventLoop } from '../runtime/yieldToEventLoop.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A larger message is answered with an error. The transport itself would end at one. */
const maxMessageBytes = 8 * 1024 * 1024;

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
  const lines = new LimitedLines(maxMessageBytes, (id) => {
    const message = `The message is larger than ${maxMessageBytes / 1024 / 1024} MB. Send less at once.`;
    log(message);
    if (id === null) return;
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: -32600, message })}}\n`,
    );
  });
  lines.once('end', end);
  const endLines = (): void => void lines.end();
  process.stdin.once('close', endLines);
  process.stdout.on('error', end);
  for (const signal of signals) process.on(signal, end);
  try {
    await server.connect(new StdioServerTransport(process.stdin.pipe(lines)));
    onConnected?.();
    await ended.promise;
    // Calls that came together with the end of the input are answered first.
    await yieldToEventLoop();
    onEnding?.();
    await server.close();
  } finally {
    process.stdin.off('close', endLines);
    for (const signal of signals) process.off(signal, end);
    process.stdin.destroy();
  }
}
