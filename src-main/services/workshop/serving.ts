import { randomBytes } from 'node:crypto';
import type { ServingState } from '../../../src-shared/contract/workshop.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolExecution } from '../../../src-shared/domain/toolExecution.ts';

/** A call that an MCP client made. */
export interface ServedCall {
  tool: string;
  arguments: JsonObject;
  callerId: string;
  traceId?: string;
}

export interface WorkshopBackend {
  /** Active tools in MCP format. */
  tools(signal: AbortSignal): Promise<JsonObject[]>;
  /** Rejects with a ServiceError if the call is refused before it runs. */
  call(call: ServedCall, signal: AbortSignal): Promise<ToolExecution>;
  /** Takes secrets out of what is passed to a client. */
  redactValue: <T>(value: T) => T;
  /** Yields once immediately and then after every change. */
  revisions(signal: AbortSignal): AsyncIterable<unknown>;
}

export type OpenWorkshopServer = (options: {
  backend: WorkshopBackend;
  port: number;
  token: string;
}) => Promise<{ url: string; close: () => Promise<void> }>;

/**
 * Turns serving on and off: active tools over HTTP on this computer, for clients that have the
 * token.
 */
export class WorkshopServing {
  readonly #parts: { open: OpenWorkshopServer; backend: WorkshopBackend };
  #open: { url: string; token: string; close: () => Promise<void> } | null = null;
  /** Starts and stops run one after the other: a second start must not open a second server. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: { open: OpenWorkshopServer; backend: WorkshopBackend }) {
    this.#parts = parts;
  }

  state(): ServingState {
    return this.#open === null
      ? { url: null, token: null }
      : { url: this.#open.url, token: this.#open.token };
  }

  start(port: number): Promise<ServingState> {
    return this.#enqueue(async () => {
      if (this.#open === null) {
        const token = randomBytes(32).toString('base64url');
        const { url, close } = await this.#parts.open({
          backend: this.#parts.backend,
          port,
          token,
        });
        this.#open = { url, token, close };
      }
    });
  }

  stop(): Promise<ServingState> {
    return this.#enqueue(async () => {
      const open = this.#open;
      this.#open = null;
      await open?.close();
    });
  }

  #enqueue(work: () => Promise<void>): Promise<ServingState> {
    const turn = this.#last.then(work, work).then(() => this.state());
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
