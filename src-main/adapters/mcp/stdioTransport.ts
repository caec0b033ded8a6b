import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { hastyGraces, type Graces } from '../process/endTree.ts';
import type { ProcessTree } from '../process/spawnTree.ts';
import { LineSplitter } from './lineSplitter.ts';
import type { ConnectionNotes } from './notes.ts';
import { parseLargeJson } from './parseLargeJson.ts';
import { readLine, readValue, type Line } from './readLine.ts';
import { faults } from './troubles.ts';

/** A server that reads nothing must not make this program hold ever more for it. */
const UNREAD_BYTES = 16 * 1024 * 1024;
/** A broken pipe mostly means that the process is ending; its exit code says more than the pipe. */
const EXIT_AFTER_PIPE_MS = 300;

/** A line from this size on is read in turns, so that it holds up nobody else. */
const LARGE_LINE_BYTES = 1024 * 1024;

export interface StdioHooks {
  notes: ConnectionNotes;
  messageBytes: number;
  /** An answer that is no JSON-RPC. */
  onMalformed(id: string | number, text: string): void;
}

/** MCP over the pipes of a process tree: one JSON text per line. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /**
   * Hasty until the handshake is done: whoever waits for a connection also waits for what is left
   * of a failed one.
   */
  graces: Graces = hastyGraces;
  readonly #tree: ProcessTree;
  readonly #hooks: StdioHooks;
  readonly #lines: LineSplitter;
  #closed = false;
  /** Lines that wait behind a large one, which is being read. */
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

  /**
   * Resolves when the message is handed over, not when it is read: whoever waits has a deadline.
   */
  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#tree;
    if (this.#closed || stdin.destroyed || stdin.writableEnded)
      return Promise.reject(faults.connectionLost());
    if (stdin.writableLength > UNREAD_BYTES) return Promise.reject(faults.notReading());
    stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#close();
    await this.#tree.end(this.graces);
  }

  #take(bytes: Buffer): void {
    if (this.#waiting !== null) this.#waiting.push(bytes);
    else if (bytes.length >= LARGE_LINE_BYTES) void this.#takeLarge(bytes);
    else this.#hand(readLine(bytes));
  }

  async #takeLarge(bytes: Buffer): Promise<void> {
    const waiting: Buffer[] = (this.#waiting = []);
    // What is no JSON as a whole is looked at as every other line is.
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
      else if (line.noise.trim() !== '')
        this.#hooks.notes.log.push(`[stdout] ${line.noise.slice(0, 4096)}\n`);
      if (line.kind === 'message') this.onmessage?.(line.message);
    }
  }

  #overflow(): void {
    this.#hooks.notes.fault = faults.tooLarge(this.#hooks.messageBytes);
    this.#hooks.notes.freeze();
    this.#close();
    // Nothing more is read, so the server can't be asked politely.
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
