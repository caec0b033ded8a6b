import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { waitAtMost } from '../../runtime/deadline.ts';
import type { LineEvents, ServerLine } from '../../adapters/mcp/serverLine.ts';
import { failure, type MessageRules } from './messageRules.ts';
import type { Recording } from './recording.ts';

/** The connection of a client: a transport of an SDK, or one over standard input and output. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: never, options?: { relatedRequestId?: string | number }): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

export interface RelayParts {
  open(events: LineEvents): Promise<Pick<ServerLine, 'send' | 'close'>>;
  rules: MessageRules;
  recording: Recording | null;
  log: (line: string) => void;
}

/** How long the answers of a server may come after the end of the client's input. */
const settleMs = 5_000;

interface Pending {
  id: string | number;
  method: string;
  progressToken: JsonValue | undefined;
}

/**
 * Passes messages between one client and one server, in order, and records them. The server is
 * opened for this client alone, so that a second client has its own. What the rules answer never
 * reaches the other side; everything else passes unchanged.
 */
export class Relay {
  /** What the program that serves the client is told. */
  readonly server: { onclose?: () => void; onerror?: (error: Error) => void } = {};
  /** Why the server ended or never began; null while it is there. */
  trouble: ServiceError | null = null;
  readonly #parts: RelayParts;
  #client: ClientTransport | null = null;
  #line: Promise<Pick<ServerLine, 'send' | 'close'> | null> | null = null;
  readonly #pending = new Map<string, Pending>();
  /** Messages of the client are looked at one after the other. */
  #turn: Promise<void> = Promise.resolve();
  /** What was sent to the client and hasn't been handed over. */
  #sent: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Told when no request waits any more. */
  #onIdle: () => void = () => undefined;

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  async connect(client: ClientTransport): Promise<void> {
    this.#client = client;
    client.onmessage = (message: JsonObject) => {
      this.#parts.recording?.add('client', message);
      this.#turn = this.#turn.then(() => this.#fromClient(message));
    };
    client.onerror = (error) => this.server.onerror?.(error);
    // A session over HTTP is removed by a handler that was set before.
    const ended = client.onclose;
    client.onclose = () => {
      ended?.();
      void this.close('the client ended');
    };
    this.#line = this.#parts
      .open({
        onMessage: (message) => this.#fromServer(message),
        onFailed: (id, error) => this.#answer(failure(id, textOf(error))),
        onEnd: (error) => this.#lose(error),
      })
      .catch((error: unknown) => {
        // The first request is answered with the reason; a client shows nothing else.
        this.trouble =
          error instanceof ServiceError
            ? error
            : new ServiceError('TROUBLE', {
                thing: 'The gateway',
                cause: errorText(error),
                nextStep: 'Connect again.',
              });
        this.#parts.log(textOf(this.trouble));
        return null;
      });
    await client.start();
  }

  /** Waits until every request of the client is answered, for a while. */
  async settle(): Promise<void> {
    await this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    if (this.#pending.size > 0 && !this.#isClosed) await waitAtMost(settleMs, promise);
  }

  /** Ends both sides once. */
  async close(reason = 'the gateway ended'): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onIdle();
    // What a client sent before it ended is passed on.
    await this.#turn;
    await this.#sent;
    const line = await this.#line;
    await line?.close();
    this.#parts.recording?.end(reason);
    for (const tool of this.#parts.rules.unused)
      this.#parts.log(`the override of ${tool} was not used: no such tool was listed`);
    this.server.onclose?.();
    await this.#client?.close().catch(() => undefined);
  }

  async #fromClient(message: JsonObject): Promise<void> {
    const { rules } = this.#parts;
    const { id, method, params } = message;
    if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
      const meta = isJsonObject(params ?? null) ? (params as JsonObject)['_meta'] : undefined;
      const progressToken = isJsonObject(meta ?? null)
        ? (meta as JsonObject)['progressToken']
        : undefined;
      this.#pending.set(keyOf(id), { id, method, progressToken });
    }
    const passage = await rules.fromClient(message);
    if ('answer' in passage) {
      this.#answer(passage.answer);
      return;
    }
    const line = await this.#line;
    if (line !== null) line.send(passage.pass);
    else if (id !== undefined && method !== undefined && this.trouble !== null) {
      this.#answer(failure(id, textOf(this.trouble)));
      void this.#turn.then(() => this.close('the server did not start'));
    }
  }

  #fromServer(message: JsonObject): void {
    const { recording, rules } = this.#parts;
    recording?.add('server', message);
    const { id, method } = message;
    const asked =
      method === undefined && (typeof id === 'string' || typeof id === 'number')
        ? this.#pending.get(keyOf(id))
        : undefined;
    const passage = rules.fromServer(message, asked?.method ?? null);
    if ('pass' in passage) this.#toClient(passage.pass);
    else {
      recording?.add('gateway', passage.answer, 'server');
      void this.#line?.then((line) => line?.send(passage.answer));
    }
  }

  /** Answers the client in place of the server. */
  #answer(message: JsonObject): void {
    this.#parts.recording?.add('gateway', message);
    this.#toClient(message);
  }

  #toClient(message: JsonObject): void {
    const client = this.#client;
    if (client === null) return;
    const related = this.#relatedTo(message);
    if (message['method'] === undefined) this.#pending.delete(keyOf(message['id'] ?? null));
    if (this.#pending.size === 0) this.#onIdle();
    const send = (options?: { relatedRequestId: string | number }) =>
      client.send(message as never, options);
    const sent = (related === undefined ? send() : send({ relatedRequestId: related }))
      // A stream that is gone isn't the only way to a client.
      .catch(() => (related === undefined ? undefined : send()))
      .catch((error: unknown) => this.server.onerror?.(error as Error));
    this.#sent = Promise.all([this.#sent, sent]).then(() => undefined);
  }

  /**
   * The request on whose stream a message of the server belongs, over HTTP: the one whose progress
   * it reports, or the only one that waits.
   */
  #relatedTo({ method, params }: JsonObject): string | number | undefined {
    if (method === undefined) return undefined;
    const waiting = [...this.#pending.values()];
    const token = isJsonObject(params ?? null)
      ? (params as JsonObject)['progressToken']
      : undefined;
    if (method === 'notifications/progress')
      return waiting.find(({ progressToken }) => progressToken === token)?.id;
    return waiting.length === 1 ? waiting[0]?.id : undefined;
  }

  /** The server is gone: whoever waits is told, then the client's side ends, too. */
  #lose(error: ServiceError): void {
    this.trouble = error;
    this.#parts.log(textOf(error));
    for (const { id } of [...this.#pending.values()]) this.#answer(failure(id, textOf(error)));
    // What the client sent before is answered first.
    void this.#turn.then(() => this.close('the server ended'));
  }
}

const keyOf = (id: JsonValue): string => JSON.stringify(id);

const textOf = ({ data: { thing, cause, nextStep } }: ServiceError): string =>
  `${thing}: ${cause} ${nextStep}`.trim();
