import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Readable, Writable } from 'node:stream';
import { LimitedLines } from './limitedLines.ts';
import { yieldToEventLoop } from '../runtime/yieldToEventLoop.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A larger message is answered with an error. The transport itself would end at one. */
const maxMessageBytes = 8 * 1024 * 1024;

/** Why the SDK leaves a line out, by the name of its error; its text may quote the line. */
const leftOut: Readonly<Record<string, string>> = {
  SyntaxError: 'a line is not JSON, and was left out.',
  ZodError: 'a line is not a message of MCP (JSON-RPC 2.0), and was left out.',
};

/** The part of an SDK's server that serving it needs. */
export interface Served {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
  /** Answers what waits, when there will be no further request. */
  settle?(): Promise<void>;
  readonly server: {
    onclose?: (() => void) | undefined;
    onerror?: ((error: Error) => void) | undefined;
  };
}

/** What a server hears and says, and the signals that end it. */
export interface Pipes {
  readonly stdin: Readable;
  readonly stdout: Writable;
  on(signal: (typeof signals)[number], listener: () => void): unknown;
  off(signal: (typeof signals)[number], listener: () => void): unknown;
}

export interface StdioOptions {
  log: (line: string) => void;
  onConnected?: () => void;
  /** Called before the server is closed. */
  onEnding?: () => void;
  /** The transport over the lines of standard input; default: the SDK's. */
  clientOf?: (lines: Readable) => Transport;
  /** Default: those of this process. */
  pipes?: Pipes;
}

/**
 * Serves until standard input ends, the reader of standard output is gone, or SIGINT or SIGTERM
 * arrives; then closes the server.
 */
export async function serveOverStdio(
  server: Served,
  {
    log,
    onConnected,
    onEnding,
    pipes = process,
    clientOf = (lines) => new StdioServerTransport(lines, pipes.stdout),
  }: StdioOptions,
): Promise<void> {
  const ended = Promise.withResolvers<'stopped'>();
  const inputEnded = Promise.withResolvers<'no more input'>();
  const end = (): void => ended.resolve('stopped');
  server.server.onclose = end;
  server.server.onerror = (error) =>
    log(leftOut[error.name] ?? `a message failed (${error.name}).`);
  const lines = new LimitedLines(maxMessageBytes, (id) => {
    const message = `The message is larger than ${maxMessageBytes / 1024 / 1024} MB. Send less at once.`;
    log(message);
    if (id === null) return;
    pipes.stdout.write(
      `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: -32600, message })}}\n`,
    );
  });
  lines.once('end', () => inputEnded.resolve('no more input'));
  const endLines = (): void => void lines.end();
  pipes.stdin.once('close', endLines);
  pipes.stdout.on('error', end);
  for (const signal of signals) pipes.on(signal, end);
  try {
    await server.connect(clientOf(pipes.stdin.pipe(lines)));
    onConnected?.();
    const why = await Promise.race([ended.promise, inputEnded.promise]);
    // Calls that came together with the end of the input are answered first.
    await yieldToEventLoop();
    if (why === 'no more input') await Promise.race([ended.promise, server.settle?.()]);
    onEnding?.();
    await server.close();
  } finally {
    pipes.stdin.off('close', endLines);
    for (const signal of signals) pipes.off(signal, end);
    pipes.stdin.destroy();
  }
}
