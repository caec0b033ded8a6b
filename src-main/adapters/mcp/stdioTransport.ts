import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { hastyGraces, type Graces } from '../process/endTree.ts';
import type { ProcessTree } from '../process/spawnTree.ts';
import type { ConnectionNotes } from './notes.ts';
import { parseLargeJson } from './parseLargeJson.ts';
import { readLine, readValue, type Line } from './readLine.ts';
import { faults } from './troubles.ts';
import { beginningOf, type WireTap } from './wireTap.ts';

/** How much may wait for a server that does not read, so that memory stays limited. */
const UNREAD_BYTES = 16 * 1024 * 1024;
/**
 * A broken pipe usually means that the process is exiting, and its exit code says more than the
 * pipe.
 */
const EXIT_AFTER_PIPE_MS = 300;

/** A line from this size on is parsed in parts, so that it does not block the event loop. */
const LARGE_LINE_BYTES = 1024 * 1024;

export interface StdioHooks {
  notes: ConnectionNotes;
  messageBytes: () => number;
  tap?: WireTap | undefined;
  /** Reports an answer that is not valid JSON-RPC. */
  onMalformed(id: string | number, text: string): void;
}

/** MCP over the pipes of a process tree: one JSON text per line. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /**
   * Short until the handshake is done, because the caller also waits for the end of a failed
   * attempt.
   */
  graces: Graces = hastyGraces;
  readonly #tree: ProcessTree;
  readonly #hooks: StdioHooks;
  readonly #lines: LineSplitter;
  #closed = false;
  /** Lines that wait until a large one before them is parsed. */
  #waiting: Buffer[] | null = null;
  #finishing = false;

  constructor(tree: ProcessTree, hooks: StdioHooks) {
    this.#tree = tree;
    this.#hooks = hooks;
    this.#lines = new LineSplitter(hooks.messageBytes, (line) => this.#take(line));
  }

  start(): Promise<void> {
    const { stdin, stdout, ended } = this.#tree;
    stdout.on('data', (chunk: Buffer) => {
      if (!this.#closed && !this.#lines.push(chunk)) this.#overflow();
    });
    void ended.then(() => this.#finish());
    stdout.once('end', () => this.#finishAfterExit());
    stdin.once('error', (error) => {
      this.onerror?.(error);
      this.#finishAfterExit();
    });
    return Promise.resolve();
  }

  /** Resolves when the message is handed over, not when it is read; callers have a deadline. */
  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#tree;
    if (this.#closed || stdin.destroyed || stdin.writableEnded)
      return Promise.reject(faults.notSent(faults.connectionLost()));
    if (stdin.writableLength > UNREAD_BYTES) return Promise.reject(faults.notReading());
    const line = JSON.stringify(message);
    this.#hooks.tap?.({ kind: 'sent', ...beginningOf(line) });
    stdin.write(`${line}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#close();
    await this.#tree.end(this.graces);
  }

  #take(bytes: Buffer): void {
    if (this.#waiting !== null) return void this.#waiting.push(bytes);
    // Parsing overwrites parts of a large line.
    this.#hooks.tap?.({ kind: 'received', ...beginningOf(bytes) });
    if (bytes.length >= LARGE_LINE_BYTES) void this.#takeLarge(bytes);
    else this.#hand(readLine(bytes));
  }

  async #takeLarge(bytes: Buffer): Promise<void> {
    const waiting: Buffer[] = (this.#waiting = []);
    // Text that is no JSON as a whole is treated like any other line.
    const lines = await parseLargeJson(bytes).then(
      (value) => readValue(value, bytes.toString('utf8', 0, 4096)),
      () => readLine(bytes),
    );
    this.#hand(lines);
    this.#waiting = null;
    for (const line of waiting) this.#take(line);
    if (this.#finishing) this.#finish();
  }

  #hand(lines: readonly Line[]): void {
    for (const line of lines) {
      if (line.kind === 'malformed') this.#hooks.onMalformed(line.id, line.text);
      else if (line.noise.trim() !== '') this.#hooks.notes.noise(line.noise);
      if (line.kind === 'message') this.onmessage?.(line.message);
    }
  }

  #overflow(): void {
    this.#hooks.notes.fault = faults.tooLarge(this.#hooks.messageBytes());
    this.#hooks.notes.freeze();
    this.#close();
    // Nothing more is read, so the server can't be shut down politely.
    void this.#tree.end(hastyGraces);
  }

  #finishAfterExit(): void {
    const timer = setTimeout(() => this.#finish(), EXIT_AFTER_PIPE_MS);
    void this.#tree.ended.then(() => clearTimeout(timer));
  }

  #finish(): void {
    if (this.#closed) return;
    const rest = this.#lines.rest();
    if (rest.length > 0) this.#take(rest);
    this.#finishing = this.#waiting !== null;
    if (!this.#finishing) this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

const NEWLINE = 0x0a;

/**
 * Splits a byte stream at newlines. Bytes are joined once per line, so characters split over chunks
 * and long lines cost nothing extra.
 */
export class LineSplitter {
  readonly #limit: () => number;
  readonly #onLine: (line: Buffer) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: () => number, onLine: (line: Buffer) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  /** Returns false if the line is longer than the limit; its beginning is dropped then. */
  push(chunk: Buffer): boolean {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      this.#size += part.length;
      if (this.#size > this.#limit()) {
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
