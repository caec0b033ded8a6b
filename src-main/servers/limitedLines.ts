import { Transform, type TransformCallback } from 'node:stream';

const [newline, quote, backslash] = [0x0a, 0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** How much is kept of the outermost object of a line that is too long. */
const keptBytes = 64 * 1024;
/** The members of an outermost object whose values are no objects or lists. */
const idOf = /(?<!\\)"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*[,}]/;

/**
 * Keeps of a JSON object what is outside of the objects, lists and long texts in it, so that the id of
 * a request is told from the ids in its arguments. Takes its text in pieces.
 */
class Outline {
  readonly #kept = Buffer.alloc(keptBytes);
  #length = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Bytes of the text at hand that were kept. */
  #textBytes = 0;

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#isText) {
        const ends = byte === quote && !this.#isEscaped;
        this.#isEscaped = byte === backslash && !this.#isEscaped;
        if (ends) this.#isText = false;
        if (this.#depth === 1 && (ends || this.#textBytes < 300)) this.#keep(byte);
        this.#textBytes += 1;
        continue;
      }
      const closes = byte === closeBrace || byte === closeBracket;
      if (this.#depth === 1 || (closes && this.#depth === 2)) this.#keep(byte);
      if (closes) this.#depth -= 1;
      else if (byte === openBrace || byte === openBracket) this.#depth += 1;
      else if (byte === quote) [this.#isText, this.#textBytes] = [true, 0];
    }
  }

  /** The JSON of the id, or null. */
  id(): string | null {
    return idOf.exec(this.#kept.toString('utf8', 0, this.#length))?.[1] ?? null;
  }

  #keep(byte: number): void {
    if (this.#length < keptBytes) this.#kept[this.#length++] = byte;
  }
}

/**
 * Passes lines on whose length is within a limit. A longer one is left out, whatever its length, and
 * told with the JSON of its id; null if it has none.
 */
export class LimitedLines extends Transform {
  readonly #maxBytes: number;
  readonly #onTooLong: (id: string | null) => void;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Of a line that is too long. */
  #skipped: Outline | null = null;

  constructor(maxBytes: number, onTooLong: (id: string | null) => void) {
    super();
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#take(chunk.subarray(from, at + 1));
      this.#end();
      from = at + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#end();
    done();
  }

  #take(part: Buffer): void {
    if (this.#skipped !== null) {
      this.#skipped.add(part);
      return;
    }
    this.#pieces.push(part);
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) return;
    this.#skipped = new Outline();
    for (const piece of this.#pieces) this.#skipped.add(piece);
    this.#pieces = [];
  }

  #end(): void {
    if (this.#skipped === null) for (const piece of this.#pieces) this.push(piece);
    else this.#onTooLong(this.#skipped.id());
    this.#pieces = [];
    this.#length = 0;
    this.#skipped = null;
  }
}
