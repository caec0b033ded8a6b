/**
 * Our own channel instead of the SDK's client. One tool with `inputSchema: null` fails the client's
 * whole list, and one `null` in the answer to `initialize` fails its handshake. Its limit of 10 MB
 * per message over stdio is reported as "Connection closed", and over HTTP there is none: an answer
 * of 120 MB was accepted and took 563 MB of memory. Here each answer has a size limit and an error
 * that says so (`cappedFetch.ts`, `lineSplitter.ts`).
 */
import { ProtocolError, SseError } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { onAbort } from '../../runtime/deadline.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { ConnectionNotes } from './notes.ts';
import type { McpFault } from './mcpFault.ts';
import { faults, isUnreadable } from './troubles.ts';

/** Far above what servers number their own requests with, so that logs aren't ambiguous. */
const FIRST_ID = 1_000_000;
const METHOD_NOT_FOUND = -32601;

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
 * Requests over one transport, each matched with its answer. No schema rejects a whole list for one
 * tool, and no answer reaches the wrong request. Requests of the server are refused, except `ping`.
 */
export class RpcChannel {
  /**
   * True once a later protocol version was agreed on, in which closing the stream of a request
   * cancels it.
   */
  modern = false;
  readonly #inner: Transport;
  readonly #notes: ConnectionNotes;
  readonly #mayStillAnswer: (id: number) => boolean;
  readonly #pending = new Map<number, Pending>();
  #nextId = FIRST_ID;
  #open = false;
  #lost = false;
  /** A stream broke off, which the SDK reports before it says that the stream has ended. */
  #isBroken = false;
  #end: McpFault | null = null;

  /**
   * `mayStillAnswer` says whether the answer to a request may come after the transport has sent it;
   * if not, it has come by then.
   */
  constructor(
    inner: Transport,
    notes: ConnectionNotes,
    mayStillAnswer: (id: number) => boolean = () => true,
  ) {
    this.#inner = inner;
    this.#notes = notes;
    this.#mayStillAnswer = mayStillAnswer;
    inner.onmessage = (message) => this.#receive(message);
    inner.onerror = (error) => this.#report(error);
    inner.onclose = () => {
      if (this.#end === null) this.#lost = true;
      this.fail(this.#notes.fault ?? faults.connectionLost());
    };
  }

  get ended(): boolean {
    return this.#end !== null;
  }

  /** Closed by the other side, not by `close`. */
  get lost(): boolean {
    return this.#lost;
  }

  async start(): Promise<void> {
    await this.#inner.start();
    this.#open = true;
  }

  /** From here on, every request names the version that was agreed on. */
  agree(version: string | null, modern: boolean): void {
    this.modern = modern;
    // It becomes a header; anything else that a server calls its version can't.
    if (version !== null && /^[\w.-]{1,100}$/.test(version))
      this.#inner.setProtocolVersion?.(version);
  }

  async notify(method: string): Promise<void> {
    if (this.#end !== null) throw this.#end;
    await this.#inner.send({ jsonrpc: '2.0', method });
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
              onRequestStreamEnd: () => reject(this.#takeFault(faults.streamEnded())),
            },
          )
          .then(() => {
            if (!this.#mayStillAnswer(id)) reject(this.#takeFault(faults.noMessage()));
          })
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
  malformed(id: string | number | null, text: string): void {
    const fault = faults.malformed(text);
    // Without an id, the answer was for the only request that waits.
    const only = this.#pending.size === 1 ? [...this.#pending.values()][0] : undefined;
    const pending = id === null ? only : this.#waiting(id)?.pending;
    if (pending !== undefined) pending.reject(fault);
    else this.#notes.ignored(text);
  }

  /** Rejects every waiting request with the same reason. */
  fail(reason: McpFault): void {
    if (this.#end !== null) return;
    this.#end = reason;
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
  }

  /** The request that an answer is for. Some servers return the number of a request as text. */
  #waiting(id: string | number): { key: number; pending: Pending } | null {
    const key = Number(id);
    const pending = this.#pending.get(key);
    return pending === undefined ? null : { key, pending };
  }

  #receive(message: JSONRPCMessage): void {
    this.#notes.hasSpoken = true;
    if ('method' in message) {
      if ('id' in message) this.#refuse(message.id, message.method);
      else if (message.method === 'notifications/tools/list_changed') this.#notes.listChanges += 1;
      return;
    }
    const found = message.id === undefined ? null : this.#waiting(message.id);
    if (found === null) {
      this.#notes.ignored(`answer to no waiting request, id ${JSON.stringify(message.id)}`);
      return;
    }
    const { key, pending } = found;
    this.#pending.delete(key);
    if ('error' in message)
      pending.reject(
        ProtocolError.fromError(message.error.code, message.error.message, message.error.data),
      );
    else if (isJsonObject(message.result)) pending.resolve(message.result);
    else pending.reject(faults.malformed(JSON.stringify(message)));
  }

  /** Nothing that a server may ask for was announced to it. */
  #refuse(id: string | number, method: string): void {
    const answer: JSONRPCMessage =
      method === 'ping'
        ? { jsonrpc: '2.0', id, result: {} }
        : { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
    this.#inner.send(answer).catch(() => undefined);
  }

  #report(error: Error): void {
    this.#notes.error(error);
    this.#isBroken ||= error.message.startsWith('SSE stream disconnected');
    if (error instanceof SseError && this.#open) {
      // The event stream would reconnect by itself, but its session would be lost.
      this.fail(this.#takeFault());
      void this.#inner.close();
      return;
    }
    // An event so large that it was passed on unread.
    if (isUnreadable(error)) this.malformed(null, "it isn't a message of the protocol.");
  }

  #takeFault(otherwise = faults.connectionLost()): McpFault {
    const fault = this.#notes.fault ?? (this.#isBroken ? faults.connectionLost() : otherwise);
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
