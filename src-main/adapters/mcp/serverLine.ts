import { SseError, type JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ServiceError } from '../../../src-shared/contract/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { HttpConfig } from '../../../src-shared/domain/server.ts';
import { defaultLimits } from './limits.ts';
import type { WireTarget } from './mcpConnection.ts';
import { mayBeOlder } from './openSession.ts';
import { openHttpWire, openStdioWire, type Wire, type WireOptions } from './openWire.ts';
import { faults, isUnreadable, troubleOf } from './troubles.ts';

export type LineOptions = Pick<WireOptions, 'self' | 'access'> & { messageBytes?: number };

export interface LineEvents {
  onMessage(message: JsonObject): void;
  /** A request that gets no answer, and why. */
  onFailed(id: string | number, error: ServiceError): void;
  /** The server ended by itself. Every request that waited was reported before. */
  onEnd(error: ServiceError): void;
}

interface Waiting {
  id: string | number;
  method: string;
  stream: AbortController;
}

const SESSION_END_MS = 1000;
/** What a program that was started or a server over HTTP is called while it hasn't answered yet. */
const firstStage = 'connect';

/**
 * A line to a server that passes messages on as they are, in both directions: no handshake of its
 * own, no request of its own, no deadline. Whoever speaks on it has them. Throws TROUBLE if the
 * program of the server can't be started.
 */
export async function openServerLine(
  target: WireTarget,
  options: LineOptions,
  events: LineEvents,
): Promise<ServerLine> {
  const line = new ServerLine(target, options, events);
  await line.open();
  return line;
}

export class ServerLine {
  readonly #target: WireTarget;
  readonly #options: LineOptions;
  readonly #events: LineEvents;
  #wire: Wire | null = null;
  readonly #waiting = new Map<string, Waiting>();
  #isClosing = false;
  #hasAnswered = false;
  /** The version of the protocol that each request names from the beginning: the later era. */
  #isModern = false;

  constructor(target: WireTarget, options: LineOptions, events: LineEvents) {
    this.#target = target;
    this.#options = options;
    this.#events = events;
  }

  async open(kind?: HttpConfig['transport']): Promise<void> {
    const { config } = this.#target;
    const { self, access, messageBytes = defaultLimits.messageBytes } = this.#options;
    const options: WireOptions = {
      self,
      access,
      messageBytes: () => messageBytes,
      onMalformed: (id, text) => this.#malformed(id, text),
    };
    try {
      const wire =
        config.transport === 'stdio'
          ? await openStdioWire(this.#target, config, options)
          : openHttpWire(this.#target, config, kind ?? config.transport, options);
      this.#wire = wire;
      const { transport } = wire;
      transport.onmessage = (message) => this.#receive(message as unknown as JsonObject);
      transport.onerror = (error) => this.#report(error);
      transport.onclose = () => this.#end(wire);
      await transport.start();
    } catch (error) {
      throw this.#trouble(firstStage, error);
    }
  }

  /** Passes a message on. What becomes of a request is reported by the events. */
  send(message: JsonObject): void {
    const { id, method } = message;
    const isRequest =
      typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
    if (method === 'notifications/cancelled') this.#cancel(message);
    const waiting = isRequest ? { id, method, stream: new AbortController() } : null;
    if (waiting !== null) this.#waiting.set(keyOf(waiting.id), waiting);
    this.#agree(versionOfRequest(message), true);
    void this.#pass(message, waiting);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#waiting.clear();
    const wire = this.#wire;
    if (wire === null) return;
    wire.notes.freeze();
    await wire.terminate(AbortSignal.timeout(SESSION_END_MS));
    await wire.transport.close().catch(() => undefined);
  }

  async #pass(message: JsonObject, waiting: Waiting | null): Promise<void> {
    const wire = this.#wire;
    if (wire === null) return;
    try {
      await wire.transport.send(message as unknown as JSONRPCMessage, {
        ...(waiting !== null && {
          requestSignal: waiting.stream.signal,
          onRequestStreamEnd: () => this.#fail(waiting, faults.streamEnded()),
        }),
      });
      if (waiting !== null && !wire.mayStillAnswer(waiting.id))
        this.#fail(waiting, faults.noMessage());
    } catch (error) {
      if (!this.#hasAnswered && mayBeOlder(error) && wire === this.#wire && waiting !== null)
        await this.#passOnOlder(message, waiting, error);
      else if (waiting !== null) this.#fail(waiting, error);
    }
  }

  /** The server may speak the older transport; if it doesn't, the first refusal says more. */
  async #passOnOlder(message: JsonObject, waiting: Waiting, refusal: unknown): Promise<void> {
    const refused = this.#wire;
    try {
      if (this.#target.config.transport === 'sse') throw refusal;
      await this.open('sse');
    } catch {
      this.#wire = refused;
      this.#fail(waiting, refusal);
      return;
    }
    await this.#pass(message, waiting);
  }

  #receive(message: JsonObject): void {
    const { id, method, result } = message;
    if (method === undefined && (typeof id === 'string' || typeof id === 'number')) {
      const waiting = this.#waiting.get(keyOf(id));
      this.#waiting.delete(keyOf(id));
      if (!this.#hasAnswered) this.#wire?.settle();
      this.#hasAnswered = true;
      if (waiting?.method === 'initialize' && isJsonObject(result ?? null))
        this.#agree((result as JsonObject)['protocolVersion'], false);
    }
    this.#events.onMessage(message);
  }

  /** Every request over HTTP names the version that was agreed on. */
  #agree(version: JsonValue | undefined, isModern: boolean): void {
    if (typeof version !== 'string' || !/^[\w.-]{1,100}$/.test(version)) return;
    this.#isModern = isModern;
    this.#wire?.transport.setProtocolVersion?.(version);
  }

  /** In the later era over HTTP, the end of the stream of a request cancels it. */
  #cancel({ params }: JsonObject): void {
    const id = isJsonObject(params ?? null) ? (params as JsonObject)['requestId'] : undefined;
    if (!this.#isModern || this.#wire?.transport.hasPerRequestStream !== true) return;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const canceled = this.#waiting.get(keyOf(id));
    // Its stream ends without an answer, which is no failure.
    this.#waiting.delete(keyOf(id));
    canceled?.stream.abort();
  }

  #malformed(id: string | number | null, text: string): void {
    // Without an id, the answer was for the only request that waits.
    const only = this.#waiting.size === 1 ? [...this.#waiting.values()][0] : undefined;
    const waiting = id === null ? only : this.#waiting.get(keyOf(id));
    if (waiting !== undefined) this.#fail(waiting, faults.malformed(text));
    else this.#wire?.notes.ignored(text);
  }

  #report(error: Error): void {
    this.#wire?.notes.error(error);
    if (error instanceof SseError && this.#hasAnswered) {
      // The event stream would reconnect by itself, but its session would be lost.
      void this.#wire?.transport.close();
      return;
    }
    if (isUnreadable(error)) this.#malformed(null, "it isn't a message of the protocol.");
  }

  #end(wire: Wire): void {
    if (this.#isClosing || wire !== this.#wire) return;
    this.#isClosing = true;
    const lost = wire.notes.fault ?? faults.connectionLost();
    for (const waiting of [...this.#waiting.values()]) this.#fail(waiting, lost);
    this.#events.onEnd(this.#trouble('connection', lost));
    // What is left of the program of the server.
    void wire.transport.close().catch(() => undefined);
  }

  #fail(waiting: Waiting, error: unknown): void {
    if (!this.#waiting.delete(keyOf(waiting.id))) return;
    this.#events.onFailed(waiting.id, this.#trouble(waiting.method, error));
  }

  #trouble(stage: string, error: unknown): ServiceError {
    const notes = this.#wire?.notes;
    const fault = notes?.fault ?? null;
    if (notes !== undefined) notes.fault = null;
    return troubleOf(
      this.#target,
      stage,
      fault ?? error,
      notes?.symptoms() ?? { exit: null, stderrTail: '', lastError: null },
    );
  }
}

/** An id as it is written: 1 and "1" are two. */
const keyOf = (id: string | number): string => JSON.stringify(id);

const versionKey = 'io.modelcontextprotocol/protocolVersion';

function versionOfRequest({ params }: JsonObject): JsonValue | undefined {
  const meta = isJsonObject(params ?? null) ? (params as JsonObject)['_meta'] : undefined;
  return isJsonObject(meta ?? null) ? (meta as JsonObject)[versionKey] : undefined;
}
