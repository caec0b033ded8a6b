import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { RecordedTurn } from './recordedTurns.ts';

/** How a log of such sessions is called. */
export const gatewayKind = 'captured sessions';

/**
 * Sessions that a gateway recorded: calls of one server, without what a person asked for, which a
 * server never sees. Each call is a turn of its own, whose request a person writes.
 */
export class GatewaySessions {
  readonly #onTurn: (turn: RecordedTurn) => void;
  #server: string | null = null;
  #client: string | null = null;
  #startedAt: string | null = null;
  #calls = new Map<string, RecordedTurn>();
  readonly #listings = new Set<string>();
  /** The tools that the server listed in this session, with all pages. */
  readonly #listed = new Set<string>();

  constructor(onTurn: (turn: RecordedTurn) => void) {
    this.#onTurn = onTurn;
  }

  /** Takes a line of a session; the kind of program, or null if it is of none. */
  take(record: JsonObject, line: number): string | null {
    const { format, server, startedAt, from, to, message, ended } = record;
    if (format === 'touchstone-session' && typeof server === 'string') {
      this.end();
      this.#server = server;
      this.#listings.clear();
      this.#listed.clear();
      this.#startedAt = typeof startedAt === 'string' ? startedAt : null;
      return gatewayKind;
    }
    // The log of another program may follow in the same text.
    const isMessage = typeof from === 'string' && isJsonObject(message ?? null);
    if (this.#server === null || (!isMessage && typeof ended !== 'string')) return null;
    if (isMessage && to !== 'server') this.#takeMessage(from, message as JsonObject, line);
    return gatewayKind;
  }

  /** Passes on the calls that were never answered. */
  end(): void {
    for (const turn of this.#calls.values()) this.#onTurn(turn);
    this.#calls = new Map();
  }

  #takeListing(result: JsonValue = null): void {
    const tools = isJsonObject(result) ? result['tools'] : null;
    if (!Array.isArray(tools)) return;
    for (const tool of tools)
      if (isJsonObject(tool) && typeof tool['name'] === 'string') this.#listed.add(tool['name']);
  }

  #takeMessage(
    from: string,
    { id = null, method, params, result, error }: JsonObject,
    line: number,
  ) {
    const key = JSON.stringify(id);
    if (from !== 'client') {
      if (method === undefined && this.#listings.delete(key)) this.#takeListing(result);
      const turn = method === undefined ? this.#calls.get(key) : undefined;
      if (turn === undefined) return;
      this.#calls.delete(key);
      const isError = isJsonObject(result ?? null) && (result as JsonObject)['isError'] === true;
      const [[call] = []] = turn.answers;
      if (call !== undefined) call.failed = error !== undefined || isError;
      this.#onTurn(turn);
      return;
    }
    const given = isJsonObject(params ?? null) ? (params as JsonObject) : {};
    const info = given['clientInfo'];
    const client = isJsonObject(info ?? null) ? (info as JsonObject)['name'] : undefined;
    if (method === 'initialize' && typeof client === 'string') this.#client = client;
    const { name, arguments: args = {} } = given;
    if (method === 'tools/list') this.#listings.add(key);
    if (method !== 'tools/call' || typeof name !== 'string') return;
    this.#calls.set(key, {
      query: '',
      ...{ messages: [], leftOut: 0, system: null },
      answers: [
        [
          {
            name: `${this.#server ?? ''}:${name}`,
            arguments: isJsonObject(args) ? args : null,
            id: null,
            failed: false,
            ...(this.#listed.has(name) && { listed: { server: this.#server ?? '', tool: name } }),
          },
        ],
      ],
      ...{ model: this.#client, time: this.#startedAt, line },
    });
  }
}
