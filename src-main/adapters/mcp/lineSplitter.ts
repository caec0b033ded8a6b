const NEWLINE = 0x0a;

/**
 * Splits a byte stream at newlines. Bytes are joined once per line, so characters split over chunks
 * and long lines cost nothing extra.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #onLine: (line: Buffer) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: number, onLine: (line: Buffer) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  /** Returns false if the line is longer than the limit; its beginning is dropped then. */
  push(chunk: Buffer): boolean {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      this.#size += part.length;
      if (this.#size > this.#limit) {
        this.#take();
        return false;
      }
      if (part.length > 0) this.#parts.push(part);
      if (end === -1) return true;
      this.#onLine(this.#take());
      start = end + 1;
    }
    return true;
  }

  /** The bytes after the last newline. */
  rest(): Buffer {
    return this.#take();
  }

  #take(): Buffer {
    const line =
      this.#parts.length === 1 && this.#parts[0] !== undefined
        ? this.#parts[0]
        : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}
