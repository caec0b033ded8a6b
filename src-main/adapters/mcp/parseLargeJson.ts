import { createYielder, yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { maxMessageDepth } from './limits.ts';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';

/** A value of at most this size is parsed at once; a larger one is split first. */
const maxPieceBytes = 128 * 1024;
/**
 * What is left nests deeper than the limit, as it did before, also without the levels of the message
 * round it.
 */
const cutDepth = maxMessageDepth + 10;
/** The scanner checks the time after this many bytes. */
const strideBytes = 512 * 1024;

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')];
const [openBrace, closeBrace, openBracket, closeBracket] = [
  code('{'),
  code('}'),
  code('['),
  code(']'),
];
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * JSON.parse for a large text that yields to the event loop meanwhile. What nests deeper than
 * `maxMessageDepth` is removed, so that the time does not grow with the depth; the value still
 * nests deeper than that, so whoever checks its depth rejects it. Overwrites parts of `bytes`.
 * Throws a SyntaxError if the text is no JSON.
 */
export async function parseLargeJson(bytes: Buffer): Promise<JsonValue> {
  // The bytes were just joined in this turn, which takes long too.
  await yieldToEventLoop();
  const yieldIfDue = createYielder();
  const work = cutAndParse(bytes);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await yieldIfDue();
  }
}

type Work = Generator<undefined, JsonValue, undefined>;

function* cutAndParse(bytes: Buffer): Work {
  const kept = yield* cutDeepValues(bytes);
  return yield* parse(kept, 0, kept.length);
}

/**
 * Removes the content of each value at the level `cutDepth`, in place, and returns the
 * part of the buffer that is left.
 */
function* cutDeepValues(bytes: Buffer): Generator<undefined, Buffer, undefined> {
  let [depth, start, stop] = [0, 0, strideBytes];
  let [written, kept] = [0, 0];
  const move = (to: number, next: number): void => {
    if (written !== kept) bytes.copyWithin(written, kept, to);
    written += to - kept;
    kept = next;
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = yield* skipString(bytes, at, bytes.length);
      if (end === -1) break;
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth === cutDepth) start = at;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === cutDepth && at > start + 1) move(start + 1, at);
      depth -= 1;
    }
    if (at >= stop) {
      stop = at + strideBytes;
      yield;
    }
  }
  move(bytes.length, bytes.length);
  return bytes.subarray(0, written);
}

function* parse(bytes: Buffer, from: number, to: number): Work {
  let start = from;
  let end = to;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  const first = bytes[start];
  if (end - start <= maxPieceBytes || (first !== openBrace && first !== openBracket)) {
    yield;
    const text = bytes.toString('utf8', start, end);
    yield;
    return parseJson(text) as JsonValue;
  }
  if (bytes[end - 1] !== (first === openBrace ? closeBrace : closeBracket))
    throw new SyntaxError('The text ends within a value.');
  if (isBlank(bytes, start + 1, end - 1)) return first === openBracket ? [] : {};
  return first === openBracket
    ? yield* parseArray(bytes, start + 1, end - 1)
    : yield* parseObject(bytes, start + 1, end - 1);
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isSpace(bytes[at])) return false;
  return true;
}

function* parseArray(bytes: Buffer, from: number, to: number): Work {
  const items: JsonValue[] = [];
  for (let at = from; at <= to;) {
    const end = yield* endOfValue(bytes, at, to);
    items.push(yield* parse(bytes, at, end));
    at = end + 1;
  }
  return items;
}

function* parseObject(bytes: Buffer, from: number, to: number): Work {
  const object: JsonObject = {};
  for (let at = from; at <= to;) {
    while (isSpace(bytes[at])) at += 1;
    if (bytes[at] !== quote) throw new SyntaxError('Expected a name here.');
    const nameEnd = yield* skipString(bytes, at, to);
    if (nameEnd === -1) throw new SyntaxError('A string is not closed.');
    const name = JSON.parse(bytes.toString('utf8', at, nameEnd)) as string;
    at = nameEnd;
    while (isSpace(bytes[at])) at += 1;
    if (bytes[at] !== colon) throw new SyntaxError('A name has no value.');
    const end = yield* endOfValue(bytes, at + 1, to);
    // As in JSON.parse, the member is defined whatever its name is.
    Object.defineProperty(object, name, {
      value: yield* parse(bytes, at + 1, end),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    at = end + 1;
  }
  return object;
}

/** The end of the value that begins at `from`: the next comma of its own level, or `to`. */
function* endOfValue(
  bytes: Buffer,
  from: number,
  to: number,
): Generator<undefined, number, undefined> {
  let depth = 0;
  let stop = from + strideBytes;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = yield* skipString(bytes, at, to);
      if (end === -1) throw new SyntaxError('A string is not closed.');
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    else if (byte === comma && depth === 0) return at;
    if (depth < 0) throw new SyntaxError('A closing bracket has no opening bracket.');
    if (at >= stop) {
      stop = at + strideBytes;
      yield;
    }
  }
  if (depth !== 0) throw new SyntaxError('A bracket is not closed.');
  return to;
}

/**
 * The position after the closing quote of the string that begins at `from`; -1 if there is none.
 * Yields within a string of many escapes.
 */
function* skipString(
  bytes: Buffer,
  from: number,
  to: number,
): Generator<undefined, number, undefined> {
  let stop = from + strideBytes;
  for (let at = from + 1; at < to;) {
    const end = bytes.indexOf(quote, at);
    if (end === -1 || end >= to) break;
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    at = end + 1;
    if (at >= stop) {
      stop = at + strideBytes;
      yield;
    }
  }
  return -1;
}
