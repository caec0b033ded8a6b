import { Transform, type TransformCallback } from 'node:stream';

const newline = 0x0a;
/** How much of a line that is too long is looked at for the id of its request. */
const keptBytes = 64 * 1024;
const idOf = /"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*[,}]/;

/**
 * Passes lines on whose length is within a limit. A longer one is left out, whatever its length, and
 * told with the JSON of the id that its beginning or end has; null if none is found.
 */
export class LimitedLines extends Transform {
  readonly #maxBytes: number;
  readonly #onTooLong: (id: string | null) => void;
  #pieces: Buffer[] = [];
  #length = 0;
  /** The beginning and the last part of a line that is too long. */
  #skipped: { first: Buffer; last: Buffer } | null = null;

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
      this.#skipped.last = Buffer.concat([this.#skipped.last, part]).subarray(-keptBytes);
      return;
    }
    this.#pieces.push(part);
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) return;
    const line = Buffer.concat(this.#pieces);
    // Copies, so that the whole line isn't kept.
    this.#skipped = {
      first: Buffer.from(line.subarray(0, keptBytes)),
      last: Buffer.from(line.subarray(-keptBytes)),
    };
    this.#pieces = [];
  }

  #end(): void {
    if (this.#skipped === null) for (const piece of this.#pieces) this.push(piece);
    else {
      const { first, last } = this.#skipped;
      const [, id = null] = idOf.exec(first.toString()) ?? idOf.exec(last.toString()) ?? [];
      this.#onTooLong(id);
    }
    this.#pieces = [];
    this.#length = 0;
    this.#skipped = null;
  }
}
