import type { ProtocolMessage } from '../../../../src-shared/domain/protocolMessage.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { readLineText } from '../../../adapters/mcp/readLine.ts';
import type { TappedText, WireEvent } from '../../../adapters/mcp/wireTap.ts';
import { maskedHeaders } from './hideSecrets.ts';

/** What one event says by itself, before it is matched with the request that it answers. */
export type ReadEvent = Pick<
  ProtocolMessage,
  'from' | 'kind' | 'method' | 'tool' | 'messageId' | 'bytes' | 'failed' | 'isCut'
> & { text: string };

const plain = { method: null, tool: null, messageId: null, failed: false, isCut: false };

/** The lines of an event: one, except for a batch of messages. */
export function readEvent(event: WireEvent): ReadEvent[] {
  switch (event.kind) {
    case 'process':
      return [ofProcess(event)];
    case 'http':
      return [ofRequest(event)];
    case 'stderr':
      return [{ ...plain, from: 'server', kind: 'stderr', ...kept(event) }];
    case 'sent':
      return ofMessages('client', event);
    case 'received':
      return ofMessages('server', event);
  }
}

const kept = ({ text, bytes }: TappedText) => ({
  text,
  bytes,
  isCut: Buffer.byteLength(text) < bytes,
});

/** How this program ends a server itself. */
const ownSignals: readonly (string | null)[] = [null, 'SIGTERM', 'SIGKILL'];

function ofProcess({ pid, exit }: WireEvent & { kind: 'process' }): ReadEvent {
  const how = exit?.signal == null ? `exit code ${exit?.code ?? 'unknown'}` : exit.signal;
  return {
    ...plain,
    from: exit === null ? 'client' : 'server',
    kind: 'process',
    failed: exit !== null && ((exit.code ?? 0) !== 0 || !ownSignals.includes(exit.signal)),
    text: exit === null ? `Process ${pid} started.` : `Process ${pid} ended: ${how}.`,
    bytes: 0,
  };
}

function ofRequest(event: WireEvent & { kind: 'http' }): ReadEvent {
  const { method, url, headers, answer, problem } = event;
  const text = [
    `${method} ${url}`,
    ...maskedHeaders(headers),
    '',
    ...(answer === null
      ? [`No answer: ${problem}`]
      : [`HTTP ${answer.status} ${answer.statusText}`.trim(), ...maskedHeaders(answer.headers)]),
  ].join('\n');
  // A server may refuse to end a session.
  const isRefused = answer !== null && answer.status >= 400 && method !== 'DELETE';
  return {
    ...plain,
    from: 'client',
    kind: 'http',
    method: `${method} ${answer?.status ?? 'failed'}`,
    failed: answer === null || isRefused,
    text,
    bytes: 0,
  };
}

function ofMessages(from: ReadEvent['from'], event: TappedText): ReadEvent[] {
  const whole = kept(event);
  if (event.text.trim() === '') return [];
  if (whole.isCut) return [{ ...plain, from, ...whole, ...ofBeginning(event.text) }];
  const lines = readLineText(event.text);
  return lines.map((line): ReadEvent => {
    if (line.kind !== 'message')
      return { ...plain, from, kind: 'text', ...whole, failed: from === 'server' };
    // Of a batch, each message is a line of its own.
    const own = lines.length === 1 ? whole : kept(written(line.message, whole));
    return { ...plain, from, ...own, ...ofMessage(line.message as unknown as JsonObject) };
  });
}

function written(message: unknown, whole: TappedText): TappedText {
  try {
    const text = JSON.stringify(message);
    return { text, bytes: Buffer.byteLength(text) };
  } catch {
    // It nests too deep to be written.
    return whole;
  }
}

/** A name that a server made long must not be kept twice. A part of a string would keep all of it. */
const short = (name: string): string =>
  name.length <= 200 ? name : Buffer.from(name.slice(0, 200)).toString('utf8');

function ofMessage({ id, method, params, result, error }: JsonObject) {
  const messageId = typeof id === 'string' || typeof id === 'number' ? short(String(id)) : null;
  const isAnswer = typeof method !== 'string';
  const tool = isJsonObject(params) ? params['name'] : null;
  return {
    kind: isAnswer
      ? error === undefined
        ? ('result' as const)
        : ('error' as const)
      : messageId === null
        ? ('notification' as const)
        : ('request' as const),
    messageId,
    method: isAnswer ? null : short(method),
    tool: method === 'tools/call' && typeof tool === 'string' ? short(tool) : null,
    failed: error !== undefined || (isJsonObject(result) && result['isError'] === true),
  };
}

/** The id and the method at the beginning of a message that is too large to be kept whole. */
function ofBeginning(text: string) {
  const start = text.slice(0, 500);
  const [, id] = /"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")/.exec(start) ?? [];
  const [, method] = /^\s*\{[^{[]*"method"\s*:\s*"([^"\\]+)"/.exec(start) ?? [];
  const messageId = id?.replace(/^"|"$/g, '') ?? null;
  const isError = /^\s*\{[^{[]*"error"\s*:\s*\{/.test(start);
  return {
    kind:
      method === undefined
        ? isError
          ? ('error' as const)
          : ('result' as const)
        : messageId === null
          ? ('notification' as const)
          : ('request' as const),
    messageId,
    method: method ?? null,
    failed: isError,
  };
}
