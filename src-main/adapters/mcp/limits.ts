import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { Deadlines } from './mcpConnection.ts';

const MB = 1_000_000;

/**
 * Limits for what a server may send. Beyond one comes an error that names the limit, never a part
 * of the answer.
 */
export interface McpLimits {
  /** One message, decompressed. */
  messageBytes: number;
  /**
   * One message while a check reads a state of at most 50 MB, which may be in it twice: as structured
   * content and, with its quotation marks escaped, as text.
   */
  readingBytes: number;
  listPages: number;
  listTools: number;
  /** All tools of one listing. */
  listBytes: number;
}

export const defaultLimits: McpLimits = {
  messageBytes: 25 * MB,
  readingBytes: 125 * MB,
  listPages: 1000,
  listTools: 10_000,
  listBytes: 64 * MB,
};

/**
 * Levels that a message may nest. No real answer comes close, and deeper values would exhaust the
 * stack where they are printed or sent on.
 */
export const maxMessageDepth = 1_000;

export const defaultDeadlines: Deadlines = {
  connectMs: 10_000,
  startMs: 60_000,
  listMs: 10_000,
  callMs: 60_000,
};

/** How long a server may take to answer the handshake, in milliseconds. */
export const handshakeMs = (
  config: ServerConfig,
  { connectMs, startMs }: Pick<Deadlines, 'connectMs' | 'startMs'> = defaultDeadlines,
): number =>
  (config.transport === 'skills' ? null : config.startTimeoutMs) ??
  (config.transport === 'stdio' ? startMs : connectMs);
