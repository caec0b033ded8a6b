interface TailOptions {
  lines?: number;
  bytes?: number;
  redact?: ((text: string) => string) | undefined;
}

/**
 * Keeps the last bytes of an endless stream in at most `capacity` bytes and one chunk, also for a
 * line that never ends.
 */
export class TextRing {
  readonly capacity: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #dropped = false;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  push(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    // Copied, because a slice would keep the whole chunk in memory.
    const kept =
      bytes.length > this.capacity
        ? Buffer.from(bytes.subarray(bytes.length - this.capacity))
        : bytes;
    if (kept.length < bytes.length) this.#dropped = true;
    this.#chunks.push(kept);
    this.#size += kept.length;
    for (
      let first = this.#chunks[0];
      first !== undefined && this.#size - first.length >= this.capacity;
      first = this.#chunks[0]
    ) {
      this.#chunks.shift();
      this.#size -= first.length;
      this.#dropped = true;
    }
    // Many tiny chunks cost more in objects than in bytes.
    if (this.#chunks.length > 1000) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  /**
   * The last `lines` lines within the last `bytes` bytes, without terminal colors and control
   * characters. Secrets are taken out of everything that is kept, before it is cut.
   */
  tail({ lines = 20, bytes = 4096, redact = (text) => text }: TailOptions = {}): string {
    const all = Buffer.from(redact(plain(Buffer.concat(this.#chunks).toString('utf8'))));
    const end = all.subarray(Math.max(0, all.length - bytes));
    const shortened = this.#dropped || end.length < all.length;
    const text = end.toString('utf8').trimEnd();
    const parts = text.split('\n');
    const kept = parts.slice(-lines).join('\n').trimStart();
    return shortened && kept !== '' && parts.length <= lines ? `…${kept}` : kept;
  }
}

/** Removes terminal sequences and control characters, which could hide or fake a message. */
export function plain(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, '');
}
