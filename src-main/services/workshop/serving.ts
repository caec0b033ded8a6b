import { randomBytes } from 'node:crypto';
import type { ServingState } from '../../../src-shared/contract/workshop.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolExecution } from '../../../src-shared/domain/toolExecution.ts';

export interface ServedCall {
  tool: string;
  arguments: JsonObject;
  callerId: string;
  traceId?: string;
}

/** What the workshop's MCP server needs of the workshop. */
export interface WorkshopBackend {
  /** ACTIVE tools in MCP form. */
  tools(signal: AbortSignal): Promise<JsonObject[]>;
  /** Rejects with a ServiceError, or one of its kind, where the call is refused before it runs. */
  call(call: ServedCall, signal: AbortSignal): Promise<ToolExecution>;
  /** The first item comes at once, every later one after a change. */
  revisions(signal: AbortSignal): AsyncIterable<unknown>;
}

export type OpenWorkshopServer = (options: {
  backend: WorkshopBackend;
  port: number;
  token: string;
}) => Promise<{ url: string; close: () => Promise<void> }>;

/** The switch that serves the ACTIVE tools over HTTP on this computer, to whoever has the token. */
export class Serving {
  readonly #parts: { open: OpenWorkshopServer; backend: WorkshopBackend };
  #open: { url: string; token: string; close: () => Promise<void> } | null = null;
  /** Acts follow each other: a second start must not open a second server. */
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
