import { orElse } from '../../../src-shared/domain/orElse.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { beginningOf, type WireTap } from './wireTap.ts';

/** Members that messages may have; the SDK rejects a message with others. */
const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * A message of JSON-RPC without what some servers add and a strict reader rejects: members of their
 * own, `"error": null` next to a result, and `"_meta": null`. Null if it is no message.
 */
export function lenientMessage(value: unknown): JsonObject | null {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return null;
  const { id, method, result, error } = value;
  const isIdentified = typeof id === 'string' || typeof id === 'number';
  const failed = isError(error);
  const isRequest =
    typeof method === 'string' &&
    isAbsent(result) &&
    isAbsent(error) &&
    (isIdentified || isAbsent(id));
  const isAnswer =
    isAbsent(method) &&
    isIdentified &&
    (isJsonObject(result) ? isAbsent(error) : isAbsent(result) && failed);
  if (!isRequest && !isAnswer) return null;
  return Object.fromEntries(
    members.flatMap((name) => {
      const member = value[name];
      return isAbsent(member)
        ? []
        : [[name, isJsonObject(member) ? withoutNullMeta(member) : member]];
    }),
  );
}

const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

const withoutNullMeta = ({ _meta: meta, ...rest }: JsonObject): JsonObject =>
  isJsonObject(meta) ? { _meta: meta, ...rest } : rest;

const isError = (error: unknown): boolean =>
  isJsonObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';

/** A larger event is passed on unread: no handshake is that large. */
const maxEventLength = 1_000_000;

export interface EventRules {
  /** Called with the text of an event that should be a message and is none. */
  onMalformed?: ((text: string) => void) | undefined;
  tap?: WireTap | undefined;
}

/**
 * The same for the events of a stream. An event that the end of the stream cuts off is kept, and one
 * that should be a message and is none is reported with its text.
 */
export function lenientEvents(rules: EventRules): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = '';
  let isPassing = false;
  /** The beginning of an event that is passed on unread, and its size so far. */
  let passed = beginningOf('');
  const take = (text: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    const put = (part: string): void => {
      const bytes = encoder.encode(part);
      passed.bytes += bytes.length;
      controller.enqueue(bytes);
    };
    const from = Math.max(0, held.length - 3);
    const all = held + text;
    const end = endOfEvents(all, from, isPassing);
    if (isPassing) {
      put(all.slice(from === 0 ? held.length : from + 3, end === 0 ? undefined : end));
      held = end === 0 ? all.slice(-3) : '';
      if (end === 0) return;
      isPassing = false;
      rules.tap?.({ kind: 'received', ...passed });
      take(all.slice(end), controller);
      return;
    }
    held = all.slice(end);
    const events = all.slice(0, end).split(/(?<=\r\n\r\n|\n\n|\r\r)/);
    for (const event of events) if (event !== '') put(lenientEvent(event, rules));
    if (held.length <= maxEventLength) return;
    passed = {
      text: beginningOf(held).text.replace(/^(?:(?!data:).*\r?\n)*data: ?/, ''),
      bytes: 0,
    };
    put(held);
    held = held.slice(-3);
    isPassing = true;
  };
  return new TransformStream({
    transform: (chunk, controller) => take(decoder.decode(chunk, { stream: true }), controller),
    flush: (controller) => take(`${decoder.decode()}\n\n`, controller),
  });
}

/** Where the first or the last complete event ends; 0 if none does. */
function endOfEvents(text: string, from: number, isFirst: boolean): number {
  const part = text.slice(from);
  const ends = ['\r\n\r\n', '\n\n', '\r\r'].flatMap((mark) => {
    const at = isFirst ? part.indexOf(mark) : part.lastIndexOf(mark);
    return at < 0 ? [] : [from + at + mark.length];
  });
  if (ends.length === 0) return 0;
  return isFirst ? Math.min(...ends) : Math.max(...ends);
}

function lenientEvent(event: string, { onMalformed, tap }: EventRules): string {
  const lines = event.split(/\r\n|\n|\r/);
  const name = lines
    .find((line) => line.startsWith('event:'))
    ?.slice('event:'.length)
    .trim();
  const data = lines
    .flatMap((line) => (line.startsWith('data:') ? [line.replace(/^data: ?/, '')] : []))
    .join('\n');
  if (data === '') return event;
  const message = lenientMessage(read(data));
  if (tap !== undefined && (message !== null || name === undefined || name === 'message'))
    tap({ kind: 'received', ...beginningOf(data) });
  const others = lines.filter((line) => /^(?:id|retry):/.test(line));
  if (message !== null) return [...others, `data: ${JSON.stringify(message)}`, '', ''].join('\n');
  if (name !== undefined && name !== 'message') return event;
  onMalformed?.(data);
  return [...others, '', ''].join('\n');
}

function read(text: string): unknown {
  return orElse(() => parseJson(text), null);
}
