import { ProtocolError } from '@modelcontextprotocol/client';
import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import { DeadlinePassed, withinDeadline } from '../../runtime/deadline.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { HttpConfig, StdioConfig } from '../../../src-shared/domain/server.ts';
import { envelope, LostAtProbe, shakeHands, type Agreed, type Opening } from './handshake.ts';
import type { McpLimits } from './limits.ts';
import type { WireTarget } from './mcpConnection.ts';
import type { ConnectionNotes } from './notes.ts';
import { openHttpWire, openStdioWire, type Wire, type WireOptions } from './openWire.ts';
import { RpcChannel } from './rpcChannel.ts';
import { McpFault } from './mcpFault.ts';
import { HttpRefusal, shorten } from './troubles.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';

export interface SessionOptions extends Pick<WireOptions, 'self' | 'access'> {
  limits: McpLimits;
  probeMs: number;
  clientInfo: { name: string; version: string };
  /**
   * Called for every transport that is opened, because what the last one recorded explains a
   * failure.
   */
  onOpen?: (notes: ConnectionNotes) => void;
  /** Configurations whose server ignores the first request of the later era: none waits for it twice. */
  ignoring: Set<string>;
}

/** A transport after its handshake. */
export interface Session extends Agreed {
  channel: RpcChannel;
  notes: ConnectionNotes;
  /** Metadata of every request; empty in the older era. */
  meta: JsonObject;
  /** Raises the limit of messages while a check reads. */
  limit: MessageLimit;
  overHttp: boolean;
  close: () => Promise<void>;
}

/** The limit of one message of a connection, as it is at the moment. */
interface MessageLimit {
  bytes: number;
}

interface OpenedWire extends Pick<Wire, 'notes' | 'settle'> {
  limit: MessageLimit;
  channel: RpcChannel;
  close: () => Promise<void>;
}

const SESSION_END_MS = 1000;

/**
 * Opens the transport that the target asks for and does the handshake. If that fails for a known
 * reason, it tries a second way.
 */
export async function openSession(
  target: WireTarget,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const { ignoring } = options;
  const key = JSON.stringify(target.config);
  if (ignoring.has(key))
    try {
      return await openAs('old', target, options, signal);
    } catch (error) {
      signal.throwIfAborted();
      ignoring.delete(key);
      // It may have become a server of the later era.
      if (!(error instanceof ProtocolError || error instanceof HttpRefusal)) throw error;
    }
  const session = await openAs('quick', target, options, signal);
  if (session.ignoresProbe) ignoring.add(key);
  return session;
}

async function openAs(
  opening: Opening,
  target: WireTarget,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  const { config } = target;
  if (config.transport === 'stdio')
    return openWith(() => openStdio(target, config, options), false, opening, options, signal);
  const open = (kind: typeof config.transport, limit: AbortSignal): Promise<Session> =>
    openWith(
      () => openHttp(target, config, kind, options),
      true,
      kind === 'sse' ? 'old' : opening,
      options,
      limit,
    );
  try {
    return await open(config.transport, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (config.transport === 'sse' || !mayBeOlder(error)) throw error;
    try {
      return await withinDeadline(fallbackShare * options.probeMs, signal, (limit) =>
        open('sse', limit),
      );
    } catch (second) {
      signal.throwIfAborted();
      throw bothFailed(target, error, second);
    }
  }
}

/**
 * How a server of the older transport answers a POST to the address of its event stream. One that
 * answers with an error of the protocol speaks the newer transport.
 */
export const mayBeOlder = (error: unknown): error is HttpRefusal =>
  error instanceof HttpRefusal && !error.isRpc && [400, 404, 405].includes(error.status);
/** How long the older transport is tried, as a multiple of the time for the probe. */
const fallbackShare = 2;

async function openWith(
  open: () => Promise<OpenedWire>,
  overHttp: boolean,
  opening: Opening,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<Session> {
  signal.throwIfAborted();
  const wire = await open();
  const { channel, notes, limit } = wire;
  options.onOpen?.(notes);
  try {
    const agreed = await shakeHands(channel, {
      ...options,
      opening,
      signal,
    });
    wire.settle();
    const meta: JsonObject = agreed.modern ? { _meta: envelope(options.clientInfo) } : {};
    return { ...agreed, channel, notes, meta, limit, overHttp, close: wire.close };
  } catch (error) {
    notes.freeze();
    await wire.close();
    signal.throwIfAborted();
    if (error instanceof LostAtProbe && notes.fault === null)
      return openWith(open, overHttp, 'old', options, signal);
    throw notes.fault ?? (error instanceof LostAtProbe ? error.cause : error);
  }
}

async function openStdio(
  target: WireTarget,
  config: StdioConfig,
  { limits, self }: SessionOptions,
): Promise<OpenedWire> {
  const limit = { bytes: limits.messageBytes };
  const { transport, notes, settle } = await openStdioWire(target, config, {
    messageBytes: () => limit.bytes,
    self,
    onMalformed: (id, text) => channel.malformed(id, text),
  });
  const channel = new RpcChannel(transport, notes);
  const close = (): Promise<void> => {
    notes.freeze();
    return channel.close();
  };
  return { channel, notes, settle, limit, close };
}

function openHttp(
  target: WireTarget,
  config: HttpConfig,
  kind: HttpConfig['transport'],
  { limits, access }: SessionOptions,
): Promise<OpenedWire> {
  const limit = { bytes: limits.messageBytes };
  const { transport, notes, settle, terminate, mayStillAnswer } = openHttpWire(
    target,
    config,
    kind,
    {
      messageBytes: () => limit.bytes,
      access,
      onMalformed: (id, text) => channel.malformed(id, text),
    },
  );
  const channel = new RpcChannel(transport, notes, mayStillAnswer);
  const close = async (): Promise<void> => {
    if (!channel.ended) await terminate(AbortSignal.timeout(SESSION_END_MS));
    await channel.close();
  };
  return Promise.resolve({ channel, notes, settle, limit, close });
}

function bothFailed(target: WireTarget, first: HttpRefusal, second: unknown): McpFault {
  const older =
    second instanceof DeadlinePassed
      ? 'no answer'
      : second instanceof HttpRefusal
        ? `HTTP ${second.status}`
        : shorten(errorText(second), target);
  return new McpFault(
    `${asSentence(first.message)} The older transport (SSE) failed too: ${older}`,
    first.nextStep,
  );
}
