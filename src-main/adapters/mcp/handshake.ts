import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  PROTOCOL_VERSION_META_KEY,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import { DeadlinePassed, unlessAborted, withinDeadline } from '../../runtime/deadline.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { RpcChannel } from './rpcChannel.ts';
import { statusOf } from './troubles.ts';

/** The first protocol version that opens with server/discover instead of initialize. */
export const MODERN_VERSION = '2026-07-28';

/**
 * How to open a connection. `quick` sends server/discover, waits for a while and goes on with
 * initialize. `patient` waits for the answer to server/discover until the deadline. `old` sends
 * initialize at once, for servers that exit on any other first request.
 */
export type Opening = 'quick' | 'patient' | 'old';

export interface Agreed {
  client: Client;
  modern: boolean;
  protocolVersion: string | null;
  instructions: string | null;
  serverInfo: { name: string; version: string } | null;
  offers: { tools: boolean; prompts: boolean; resources: boolean };
}

/** The handshake failed. Says with which opening another connection may succeed. */
export class HandshakeFailure extends Error {
  override readonly name = 'HandshakeFailure';
  readonly tryNext: Opening | null;

  constructor(cause: unknown, tryNext: Opening | null) {
    super('handshake failed', { cause });
    this.tryNext = tryNext;
  }
}

export interface HandshakeOptions {
  opening: Opening;
  /** How long `quick` waits for the answer to server/discover. */
  probeMs: number;
  clientInfo: { name: string; version: string };
  signal: AbortSignal;
  onError: (error: Error) => void;
}

/** Agrees with the server on a protocol version of either era. */
export async function shakeHands(channel: RpcChannel, options: HandshakeOptions): Promise<Agreed> {
  const { signal } = options;
  const client = new Client(options.clientInfo, { capabilities: {} });
  client.onerror = options.onError;
  await unlessAborted(channel.start(), signal);
  const probe =
    options.opening === 'old' ? { prior: old, late: false } : await discover(channel, options);
  try {
    // The signal ends the wait; the client's own limit must not end it earlier.
    await unlessAborted(
      client.connect(channel, { prior: probe.prior, signal, timeout: 2 ** 31 - 1 }),
      signal,
    );
  } catch (error) {
    if (options.opening === 'quick' && channel.lost) throw new HandshakeFailure(error, 'old');
    throw new HandshakeFailure(
      error,
      probe.late && error instanceof ProtocolError ? 'patient' : null,
    );
  }
  const modern = client.getProtocolEra() === 'modern';
  channel.modern = modern;
  const info = client.getServerVersion();
  const capabilities = client.getServerCapabilities();
  return {
    client,
    modern,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
    instructions: client.getInstructions() ?? null,
    serverInfo: info === undefined ? null : { name: info.name, version: info.version },
    offers: {
      tools: capabilities?.tools !== undefined,
      prompts: capabilities?.prompts !== undefined,
      resources: capabilities?.resources !== undefined,
    },
  };
}

/** The metadata of every request from 2026-07-28 on. */
export function envelope(clientInfo: { name: string; version: string }): JsonObject {
  return {
    [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
}

const old: PriorDiscovery = { kind: 'legacy' };

/**
 * Asks which protocol versions the server speaks. Any unusable answer means the older era; only
 * refused credentials and a broken connection are errors.
 */
async function discover(
  channel: RpcChannel,
  options: HandshakeOptions,
): Promise<{ prior: PriorDiscovery; late: boolean }> {
  const ask = (signal: AbortSignal): Promise<JsonObject> =>
    channel.request(
      'server/discover',
      { _meta: envelope(options.clientInfo) },
      { signal, cancellable: false },
    );
  try {
    const answer =
      options.opening === 'patient'
        ? await ask(options.signal)
        : await withinDeadline(options.probeMs, options.signal, ask);
    const versions = answer['supportedVersions'];
    if (
      Array.isArray(versions) &&
      versions.includes(MODERN_VERSION) &&
      isJsonObject(answer['capabilities'])
    ) {
      return {
        prior: { kind: 'modern', discover: answer as unknown as ModernDiscovery },
        late: false,
      };
    }
    return { prior: old, late: false };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof DeadlinePassed) return { prior: old, late: true };
    if (channel.lost) throw new HandshakeFailure(error, 'old');
    const status = statusOf(error);
    if (status === 401 || status === 403) throw error;
    return { prior: old, late: false };
  }
}

/** The client validates it before it uses it. */
type ModernDiscovery = Extract<PriorDiscovery, { kind: 'modern' }>['discover'];
