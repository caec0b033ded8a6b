/**
 * Our own channel under the SDK's client. One tool with `inputSchema: null` fails the client's
 * whole list. Its limit of 10 MB per message over stdio is reported as "Connection closed", and
 * over HTTP there is none: an answer of 120 MB was accepted and took 563 MB of memory. Here each
 * answer has a size limit and an error that says so (`cappedFetch.ts`, `lineSplitter.ts`).
 */
import { ProtocolError, SseError } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { onAbort } from '../../runtime/deadline.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { ConnectionNotes } from './notes.ts';
import type { McpFault } from './mcpFault.ts';
import { faults, isUnreadable } from './troubles.ts';

/**
 * The SDK's client numbers its own requests from 0. Ours start far above, so answers can't be
 * confused.
 */
const FIRST_ID = 1_000_000;

interface Pending {
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
}

export interface RequestOptions {
  signal: AbortSignal;
  /** HTTP only. */
  headers?: Record<string, string>;
  /** Requests before the handshake can't be cancelled. */
  cancellable?: boolean;
}

/**
 * A layer between the client of the SDK and the transport. The client does the handshake and
 * answers requests of the server. Requests of this program bypass the client, so that no schema of
 * the SDK rejects a whole list for one tool, and no answer reaches the wrong request.
 */
export class RpcChannel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /**
   * True once a later protocol version was agreed on, in which closing the stream of a request
   * cancels it.
   */
  modern = false;
  readonly #inner: Transport;
  readonly #notes: ConnectionNotes;
  readonly #pending = new Map<string | number, Pending>();
  /** Requests of the SDK's client. */
  readonly #foreign = new Set<string | number>();
  #nextId = FIRST_ID;
  #started: Promise<void> | null = null;
  #open = false;
  #lost = false;
  #end: McpFault | null = null;

  constructor(inner: Transport, notes: ConnectionNotes) {
    this.#inner = inner;
    this.#notes = notes;
    inner.onmessage = (message) => this.#receive(message);
    inner.onerror = (error) => this.#report(error);
    inner.onclose = () => {
      if (this.#end === null) this.#lost = true;
      this.fail(this.#notes.fault ?? faults.connectionLost());
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get ended(): boolean {
    return this.#end !== null;
  }

  /** Closed by the other side, not by `close`. */
  get lost(): boolean {
    return this.#lost;
  }

  /**
   * May be called twice: before the handshake, and by the client of the SDK during the handshake.
   */
  start(): Promise<void> {
    this.#started ??= this.#inner.start().then(() => void (this.#open = true));
    return this.#started;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#end !== null) throw this.#end;
    if ('id' in message && 'method' in message) this.#foreign.add(message.id);
    await this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    this.fail(faults.closed());
    await this.#inner.close();
  }

  /**
   * Sends one request and waits for its answer, an abort of the signal, or the end of the
   * connection.
   */
  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    options.signal.throwIfAborted();
    if (this.#end !== null) throw faults.notSent(this.#end);
    const id = this.#nextId++;
    const stream = new AbortController();
    let stopListening: (() => void) | undefined;
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        stopListening = onAbort(options.signal, () => reject(options.signal.reason as Error));
        this.#inner
          .send(
            { jsonrpc: '2.0', id, method, params },
            {
              requestSignal: stream.signal,
              headers: options.headers,
              onRequestStreamEnd: () => reject(this.#takeFault()),
            },
          )
          .catch((error: unknown) =>
            reject(
              this.#notes.fault === null && error instanceof Error ? error : this.#takeFault(),
            ),
          );
      });
    } catch (error) {
      if (options.signal.aborted && options.cancellable !== false) this.#cancel(id, params);
      throw error;
    } finally {
      this.#pending.delete(id);
      stopListening?.();
      stream.abort();
    }
  }

  /** Reports an unreadable answer: the request that waits for it fails now, not at its deadline. */
  malformed(id: string | number, text: string): void {
    const fault = faults.malformed(text);
    const pending = this.#pending.get(id);
    if (pending !== undefined) pending.reject(fault);
    else if (this.#foreign.has(id))
      this.#receive({ jsonrpc: '2.0', id, error: { code: -32700, message: fault.message } });
    else this.#notes.ignored(text);
  }

  /** Rejects every waiting request with the same reason. */
  fail(reason: McpFault): void {
    if (this.#end !== null) return;
    this.#end = reason;
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
    this.onclose?.();
  }

  #receive(message: JSONRPCMessage): void {
    if ('method' in message || message.id === undefined) {
      if ('method' in message && message.method === 'notifications/tools/list_changed')
        this.#notes.listChanges += 1;
      this.onmessage?.(message);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (pending === undefined) {
      if (this.#foreign.delete(message.id)) this.onmessage?.(message);
      else this.#notes.ignored(`answer to no waiting request, id ${JSON.stringify(message.id)}`);
      return;
    }
    this.#pending.delete(message.id);
    if ('error' in message)
      pending.reject(
        ProtocolError.fromError(message.error.code, message.error.message, message.error.data),
      );
    else if (isJsonObject(message.result)) pending.resolve(message.result);
    else pending.reject(faults.malformed(JSON.stringify(message)));
  }

  #report(error: Error): void {
    this.#notes.error(error);
    this.onerror?.(error);
    if (error instanceof SseError && this.#open) {
      // The event stream would reconnect by itself, but its session would be lost.
      this.fail(this.#takeFault());
      void this.#inner.close();
      return;
    }
    // Over HTTP the text is no longer known here. If only one request waits, the answer was for it.
    const [only, ...others] = [...this.#pending.values()];
    if (
      only !== undefined &&
      others.length === 0 &&
      this.#foreign.size === 0 &&
      isUnreadable(error)
    )
      only.reject(faults.malformed(error.message));
  }

  #takeFault(): McpFault {
    const fault = this.#notes.fault ?? faults.connectionLost();
    this.#notes.fault = null;
    return fault;
  }

  #cancel(id: number, params: JsonObject): void {
    if (this.modern && this.#inner.hasPerRequestStream === true) return;
    const meta = params['_meta'];
    const message = {
      jsonrpc: '2.0' as const,
      method: 'notifications/cancelled',
      params: { requestId: id, ...(isJsonObject(meta) ? { _meta: meta } : {}) },
    };
    // The caller does not depend on whether the server receives it.
    this.#inner.send(message).catch(() => undefined);
  }
}
