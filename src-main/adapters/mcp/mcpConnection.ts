import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ReceivedTool, RejectedTool } from '../../../src-shared/domain/tool.ts';

/**
 * A server as the adapter needs it: its name for messages, and how to reach it with every reference
 * already expanded.
 */
export interface McpTarget {
  name: string;
  config: ServerConfig;
}

export interface Deadlines {
  connectMs: number;
  /** The whole listing, all pages. */
  listMs: number;
  callMs: number;
}

/** What a server says of itself in the handshake. */
export interface Greeting {
  instructions: string | null;
  protocolVersion: string | null;
  serverInfo: { name: string; version: string } | null;
}

export interface ListedTools extends Greeting {
  tools: ReceivedTool[];
  rejected: RejectedTool[];
}

export interface CalledTool {
  isError: boolean;
  content: JsonValue[];
  structuredContent: JsonValue | null;
  durationMs: number;
}

/**
 * One open connection. Whoever opened it closes it; `close` is bounded and leaves no process of the
 * server's tree behind.
 */
export interface McpConnection {
  readonly protocolVersion: string | null;
  readonly greeting: Greeting;
  /** Every page, each tool parsed alone: one bad tool never costs the others. */
  listTools(signal: AbortSignal): Promise<ListedTools>;
  /** Never retried by itself. */
  callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<CalledTool>;
  /** How often it said, since its tools were last listed here, that they are others. */
  listChanges(): number;
  /** The last lines of the server's standard error; "" over HTTP. */
  stderrTail(): string;
  close(): Promise<void>;
}

/** Throws ServiceError TROUBLE that names the server, the stage and the next step. */
export type ConnectMcp = (target: McpTarget, signal: AbortSignal) => Promise<McpConnection>;
