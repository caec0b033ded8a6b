import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import type { HttpConfig, ServerConfig, StdioConfig } from '../../../src-shared/domain/server.ts';
import type { ItemList, ReceivedItem } from '../../../src-shared/domain/serverItem.ts';
import type { ReceivedTool, RejectedTool } from '../../../src-shared/domain/tool.ts';
import type { WireTap } from './wireTap.ts';

/**
 * What the adapter knows of a server: its name for messages, and how to reach it, with every
 * reference expanded.
 */
export interface McpTarget {
  name: string;
  config: ServerConfig;
  /** Takes secrets out of what the server says, before a message cuts it short. */
  redact?: ((text: string) => string) | undefined;
  /** Sees every message of the connection. What it receives isn't redacted. */
  tap?: WireTap | undefined;
}

/** A server that is reached over MCP, so anything but a folder of skills. */
export interface WireTarget extends McpTarget {
  config: StdioConfig | HttpConfig;
}

export interface Deadlines {
  /** The handshake with a server that runs already. */
  connectMs: number;
  /** The start of a stdio server and its handshake: `npx` or `uvx` may install it first. */
  startMs: number;
  /** The complete listing of all pages. */
  listMs: number;
  callMs: number;
}

/** What a server reports about itself in the handshake. */
export interface Greeting {
  instructions: string | null;
  protocolVersion: string | null;
  serverInfo: { name: string; version: string } | null;
}

export interface ListedTools extends Greeting {
  tools: ReceivedTool[];
  rejected: RejectedTool[];
}

/** Prompts, resources and resource templates, with how the listing of each kind went. */
export interface ListedItems {
  items: ReceivedItem[];
  /** Empty if there is no such thing, as in a folder of skills. */
  lists: ItemList[];
}

export interface CalledTool {
  isError: boolean;
  content: JsonValue[];
  structuredContent: JsonValue | null;
  durationMs: number;
}

export interface CallOptions {
  /**
   * The answer is read by a check and by no model, so it may be larger than other messages. Such a
   * call is alone on its connection.
   */
  isReading?: boolean;
}

/**
 * What is known of a call without a result: it was not sent; it was sent, and the server or the
 * connection ended; it was sent, and no usable answer came. Only the first certainly had no effect.
 */
export type CallFate = 'not_sent' | 'server_ended' | 'no_answer';

/**
 * One open connection. The caller who opened it closes it; `close` ends in limited time and leaves
 * no process of the server behind.
 */
export interface McpConnection {
  readonly protocolVersion: string | null;
  readonly greeting: Greeting;
  /** Lists every page. Each tool is parsed by itself, so a bad tool does not affect the others. */
  listTools(signal: AbortSignal): Promise<ListedTools>;
  /**
   * Lists what the server announced besides tools. A kind that fails says why and affects no other;
   * rejects only if it is aborted.
   */
  listItems(signal: AbortSignal): Promise<ListedItems>;
  /** Never retried. */
  callTool(
    name: string,
    args: JsonObject,
    signal: AbortSignal,
    options?: CallOptions,
  ): Promise<CalledTool>;
  /** How often the server has reported a changed list since the last listing. */
  listChanges(): number;
  /** The last lines of the server's standard error; empty over HTTP. */
  stderrTail(): string;
  close(): Promise<void>;
}

/** A stdio server that has been started and has not answered the handshake yet. */
export interface ServerStart {
  server: string;
  /** The last line that it wrote besides messages; empty if it wrote nothing. */
  wrote(): string;
}

/** Throws ServiceError TROUBLE that names the server, the stage and the next step. */
export type ConnectMcp = (target: McpTarget, signal: AbortSignal) => Promise<McpConnection>;
