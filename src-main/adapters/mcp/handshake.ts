import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client';
import { DeadlinePassed, unlessAborted, withinDeadline } from '../../runtime/deadline.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { Greeting } from './mcpConnection.ts';
import type { RpcChannel } from './rpcChannel.ts';
import { statusOf } from './troubles.ts';

/** The first protocol version that opens with server/discover instead of initialize. */
export const MODERN_VERSION = '2026-07-28';
/** What `initialize` asks for. A server answers with the version that it speaks. */
const OLD_VERSION = '2025-11-25';
/** Where a server of the later era names itself. */
const SERVER_INFO_META_KEY = 'io.modelcontextprotocol/serverInfo';

/**
 * How to open a connection. `quick` sends server/discover, waits for a while and goes on with
 * initialize. `old` sends initialize at once, for servers that exit on any other first request or don't
 * answer it.
 */
export type Opening = 'quick' | 'old';

export interface Agreed extends Greeting {
  modern: boolean;
  /** It answered initialize, and not server/discover, which was sent before. */
  ignoresProbe: boolean;
  offers: { tools: boolean; prompts: boolean; resources: boolean };
}

/** The server ended at the first request; it may know `initialize` only. */
export class LostAtProbe extends Error {}

export interface HandshakeOptions {
  opening: Opening;
  /** How long `quick` waits for the answer to server/discover before it sends initialize. */
  probeMs: number;
  clientInfo: { name: string; version: string };
  signal: AbortSignal;
}

/**
 * Agrees with the server on a protocol version of either era. Members that are null, missing or of
 * another type are read as not given: whether a server is usable shows in its lists.
 */
export async function shakeHands(channel: RpcChannel, options: HandshakeOptions): Promise<Agreed> {
  const { signal } = options;
  await unlessAborted(channel.start(), signal);
  if (options.opening === 'old') return initialize(channel, options);
  const probe = new AbortController();
  const discovery = channel
    .request(
      'server/discover',
      { _meta: envelope(options.clientInfo) },
      { signal: AbortSignal.any([signal, probe.signal]), cancellable: false },
    )
    .then(readDiscovery);
  let isAnswered = false;
  const settle = (): void => void (isAnswered = true);
  discovery.then(settle, settle);
  try {
    const early = await within(options.probeMs, discovery, signal);
    if (early !== 'late') return early ?? (await initialize(channel, options));
    try {
      const agreed = await initialize(channel, options);
      return { ...agreed, ignoresProbe: !isAnswered };
    } catch (error) {
      // A server of the later era that starts slowly answers the first request after all.
      if (!(error instanceof ProtocolError)) throw error;
      const late = await within(lateShare * options.probeMs, discovery, signal);
      if (late === 'late' || late === null) throw error;
      return late;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw channel.lost ? new LostAtProbe('handshake failed', { cause: error }) : error;
  } finally {
    probe.abort();
    discovery.catch(() => undefined);
  }

  /** Null means the older era: any unusable answer except refused credentials or a lost connection. */
  async function within(
    ms: number,
    answer: typeof discovery,
    limit: AbortSignal,
  ): Promise<Agreed | null | 'late'> {
    try {
      const agreed = await withinDeadline(ms, limit, (each) => unlessAborted(answer, each));
      if (agreed !== null) channel.agree(MODERN_VERSION, true);
      return agreed;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DeadlinePassed) return 'late';
      const status = statusOf(error);
      if (channel.lost || status === 401 || status === 403) throw error;
      return null;
    }
  }
}

/** How much longer than for `quick` a late answer is waited for, once initialize was refused. */
const lateShare = 5;

async function initialize(
  channel: RpcChannel,
  { clientInfo, signal }: HandshakeOptions,
): Promise<Agreed> {
  const answer = await channel.request(
    'initialize',
    { protocolVersion: OLD_VERSION, capabilities: {}, clientInfo },
    { signal, cancellable: false },
  );
  const agreed = readGreeting(answer, answer['serverInfo'], textOf(answer['protocolVersion']));
  channel.agree(agreed.protocolVersion, false);
  await unlessAborted(channel.notify('notifications/initialized'), signal).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      const status = statusOf(error);
      // The server answered what matters; some refuse or don't know this notification.
      if (channel.ended || status === null || status === 401 || status === 403) throw error;
    },
  );
  return { ...agreed, modern: false, ignoresProbe: false };
}

function readDiscovery(answer: JsonObject): Agreed | null {
  const versions = answer['supportedVersions'];
  if (!Array.isArray(versions) || !versions.includes(MODERN_VERSION)) return null;
  const meta = answer['_meta'];
  const info = isJsonObject(meta) ? meta[SERVER_INFO_META_KEY] : undefined;
  return { ...readGreeting(answer, info, MODERN_VERSION), modern: true, ignoresProbe: false };
}

function readGreeting(
  answer: JsonObject,
  info: JsonValue | undefined,
  protocolVersion: string | null,
): Omit<Agreed, 'modern' | 'ignoresProbe'> {
  const name = isJsonObject(info) ? textOf(info['name']) : null;
  const { capabilities, instructions } = answer;
  const offers = (kind: string): boolean => {
    const offered = isJsonObject(capabilities) ? capabilities[kind] : undefined;
    return isJsonObject(offered) || offered === true;
  };
  return {
    protocolVersion,
    instructions: typeof instructions === 'string' ? instructions : null,
    serverInfo:
      name === null || !isJsonObject(info)
        ? null
        : { name, version: textOf(info['version']) ?? '' },
    offers: {
      tools: offers('tools'),
      prompts: offers('prompts'),
      resources: offers('resources'),
    },
  };
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The metadata of every request from 2026-07-28 on. */
export function envelope(clientInfo: { name: string; version: string }): JsonObject {
  return {
    [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
}
