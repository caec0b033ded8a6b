/**
 * Keeps the last bytes of an endless stream: a flood, or a line that never ends, costs no more than
 * `capacity` and one chunk.
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
    // A copy of the end only: a slice would keep its whole parent alive.
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
    // Many tiny chunks would cost more in objects than in bytes.
    if (this.#chunks.length > 1000) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  /**
   * The last `lines` lines within the last `bytes` bytes, without terminal colours and control
   * characters.
   */
  tail(lines = 20, bytes = 4096): string {
    const all = Buffer.concat(this.#chunks);
    const end = all.subarray(Math.max(0, all.length - bytes));
    const shortened = this.#dropped || end.length < all.length;
    const text = plain(end.toString('utf8')).trimEnd();
    const parts = text.split('\n');
    const kept = parts.slice(-lines).join('\n').trimStart();
    return shortened && kept !== '' && parts.length <= lines ? `…${kept}` : kept;
  }
}

/** Terminal sequences and control characters would hide or fake what a message shows. */
export function plain(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, '');
}
