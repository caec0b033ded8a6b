import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import {
  maxProtocolBytes,
  maxProtocolMessages,
  type ProtocolMessage,
  type ProtocolMessages,
} from '../../../../src-shared/domain/protocolMessage.ts';
import type { WireTap } from '../../../adapters/mcp/wireTap.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { onAbort } from '../../../runtime/deadline.ts';
import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { hideKnownForms, hideSecrets } from './hideSecrets.ts';
import { readEvent, type ReadEvent } from './readEvent.ts';

/** So many lines are sent at once, and the next ones after a pause: a flood costs no more than that. */
/** Servers of older protocol versions refuse it, and a connection then opens without it. */
const optionalMethod = 'server/discover';

const pageSize = 200;
const pauseMs = 100;
const maxPreview = 240;
/** Requests of one connection that may wait for an answer; a server can ask without end. */
const maxWaiting = 1000;

interface Line {
  /** `preview` is made when it is read. */
  message: Omit<ProtocolMessage, 'preview'>;
  /** As it was on the wire. */
  text: string;
  /** Bytes of its text. */
  size: number;
  /** The same without secrets, once somebody has read it. */
  clean: string | null;
}

interface ServerLog {
  lines: Line[];
  /** Bytes of all lines. */
  size: number;
  lastSeq: number;
  dropped: number;
  connections: number;
  wake: Set<() => void>;
}

interface LogParts {
  clock: Clock;
  redact: (text: string) => string;
}

/**
 * The last messages of each server, in memory only. They are kept as they were on the wire, so that a
 * call can be repeated, and leave this class without secrets.
 */
export class ProtocolLog {
  readonly #parts: LogParts;
  readonly #logs = new Map<string, ServerLog>();

  constructor(parts: LogParts) {
    this.#parts = parts;
  }

  /** The tap of a new connection. */
  open(serverId: string): WireTap {
    const log = this.#logOf(serverId);
    log.connections += 1;
    const connection = log.connections;
    const { clock } = this.#parts;
    /** Requests that wait for an answer, by who sent them and their id. */
    const waiting = new Map<string, { seq: number; since: number; read: ReadEvent }>();
    return (event) => {
      for (const read of readEvent(event)) {
        log.lastSeq += 1;
        const asker = read.from === 'client' ? 'server' : 'client';
        const isAnswer = read.kind === 'result' || read.kind === 'error';
        const key = answerKey(asker, read, waiting);
        const asked = isAnswer ? waiting.get(key) : undefined;
        const now = clock.monotonic();
        if (asked !== undefined) waiting.delete(key);
        if (read.kind === 'request')
          waiting.set(`${read.from} ${read.messageId}`, { seq: log.lastSeq, since: now, read });
        const [oldest] = waiting.keys();
        if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest);
        const { text, ...rest } = read;
        keep(log, {
          message: {
            ...rest,
            failed: read.failed && asked?.read.method !== optionalMethod,
            seq: log.lastSeq,
            at: clock.now(),
            connection,
            method: asked?.read.method ?? read.method,
            tool: asked?.read.tool ?? read.tool,
            answers: asked?.seq ?? null,
            durationMs: asked === undefined ? null : now - asked.since,
          },
          text,
          size: Buffer.byteLength(text),
          clean: null,
        });
      }
    };
  }

  /**
   * Yields what is kept after `afterSeq`, then what follows, until the signal fires. The first answer
   * comes at once, even if nothing was recorded. A reader that is too slow misses lines and sees how
   * many were dropped.
   */
  async *watch(
    serverId: string,
    { afterSeq, search }: { afterSeq: number; search: string },
    signal: AbortSignal,
  ): AsyncGenerator<ProtocolMessages, void> {
    const log = this.#logOf(serverId);
    let changed = Promise.withResolvers<void>();
    const wake = (): void => changed.resolve();
    log.wake.add(wake);
    const stopListening = onAbort(signal, wake);
    try {
      let seq = afterSeq > log.lastSeq ? 0 : afterSeq;
      while (!signal.aborted) {
        changed = Promise.withResolvers<void>();
        const page = await this.#page(log, seq, search.toLowerCase());
        const { lastRead, ...found } = page;
        yield found;
        seq = lastRead;
        if (seq < log.lastSeq) await setTimeout(pauseMs, undefined, { signal }).catch(() => null);
        else await changed.promise;
      }
    } finally {
      stopListening();
      log.wake.delete(wake);
    }
  }

  read(serverId: string, seq: number): { text: string } {
    return { text: this.#clean(this.#line(serverId, seq)) };
  }

  /** The name and the arguments of a call in the log, as they were sent. */
  callOf(serverId: string, seq: number): { tool: string; args: JsonObject } {
    const { message, text } = this.#line(serverId, seq);
    const sent: unknown =
      message.kind === 'request' && message.from === 'client' && !message.isCut
        ? JSON.parse(text)
        : null;
    const params = isJsonObject(sent) && isJsonObject(sent['params']) ? sent['params'] : {};
    const args = params['arguments'] ?? {};
    if (message.tool !== null && isJsonObject(args) && isJsonObject(sent))
      return { tool: message.tool, args };
    throw new ServiceError('INVALID', {
      thing: `Message ${seq}`,
      cause: message.isCut
        ? 'It is too large to be kept whole, so that it can’t be sent again.'
        : 'It isn’t a call of a tool.',
      nextStep: 'Choose a call of a tool that this program sent.',
    });
  }

  clear(serverId: string): { cleared: number } {
    const log = this.#logOf(serverId);
    const cleared = log.lines.length;
    Object.assign(log, { lines: [], size: 0, dropped: 0 });
    for (const wake of log.wake) wake();
    return { cleared };
  }

  forget(serverId: string): void {
    this.clear(serverId);
    this.#logs.delete(serverId);
  }

  async #page(log: ServerLog, afterSeq: number, search: string) {
    const yieldIfDue = createYielder();
    const messages: ProtocolMessage[] = [];
    let lastRead = afterSeq;
    let next = log.lines.find(({ message }) => message.seq > lastRead);
    while (next !== undefined && messages.length < pageSize) {
      const { seq } = next.message;
      const clean = this.#clean(next);
      if (search === '' || matches(next, clean, search))
        messages.push({ ...next.message, preview: previewOf(clean, next.message) });
      lastRead = seq;
      await yieldIfDue();
      // Others may have been recorded and dropped in the meantime.
      next = log.lines[seq + 1 - (log.lines[0]?.message.seq ?? 0)] ?? undefined;
      if (next === undefined || next.message.seq !== seq + 1)
        next = log.lines.find(({ message }) => message.seq > lastRead);
    }
    return {
      messages,
      firstSeq: log.lines[0]?.message.seq ?? log.lastSeq + 1,
      lastSeq: log.lastSeq,
      dropped: log.dropped,
      lastRead: next === undefined ? log.lastSeq : lastRead,
    };
  }

  #clean(line: Line): string {
    const isDefinitions = line.message.method?.endsWith('/list') === true;
    line.clean ??= this.#parts.redact(
      isDefinitions ? hideKnownForms(line.text) : hideSecrets(line.text),
    );
    return line.clean;
  }

  #line(serverId: string, seq: number): Line {
    const found = this.#logOf(serverId).lines.find(({ message }) => message.seq === seq);
    if (found !== undefined) return found;
    throw new ServiceError('NOT_FOUND', {
      thing: `Message ${seq}`,
      cause: 'It was dropped, because newer ones needed the space, or it was cleared.',
      nextStep: 'Choose one that is in the log.',
    });
  }

  #logOf(serverId: string): ServerLog {
    let log = this.#logs.get(serverId);
    if (log === undefined) {
      log = { lines: [], size: 0, lastSeq: 0, dropped: 0, connections: 0, wake: new Set() };
      this.#logs.set(serverId, log);
    }
    return log;
  }
}

/** The waiting request that an answer is for. Of a cut answer whose id isn't known, the only one. */
function answerKey(
  asker: string,
  { messageId }: ReadEvent,
  waiting: ReadonlyMap<string, unknown>,
): string {
  if (messageId !== null) return `${asker} ${messageId}`;
  const own = [...waiting.keys()].filter((key) => key.startsWith(`${asker} `));
  return own.length === 1 ? (own[0] ?? '') : '';
}

function keep(log: ServerLog, line: Line): void {
  log.lines.push(line);
  log.size += line.size;
  while (log.lines.length > maxProtocolMessages || log.size > maxProtocolBytes) {
    const first = log.lines.shift();
    if (first === undefined) break;
    log.size -= first.size;
    log.dropped += 1;
  }
  for (const wake of log.wake) wake();
}

const matches = ({ message }: Line, clean: string, search: string): boolean =>
  `${message.method ?? ''} ${message.tool ?? ''}`.toLowerCase().includes(search) ||
  clean.toLowerCase().includes(search);

/** What a message says, without what its line says already. */
function previewOf(clean: string, { kind }: Pick<ProtocolMessage, 'kind'>): string {
  const member = { request: 'params', notification: 'params', result: 'result', error: 'error' };
  const name = kind in member ? member[kind as keyof typeof member] : null;
  const at = name === null ? -1 : clean.indexOf(`"${name}":`);
  if (at === -1) return name === 'params' ? '' : clean.slice(0, maxPreview);
  const from = at + `"${name ?? ''}":`.length;
  // The brace that closes the message is not part of it.
  const end = clean.length - from > maxPreview ? from + maxPreview : clean.lastIndexOf('}');
  return clean.slice(from, end);
}
