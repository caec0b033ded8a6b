import type { ProcessTree } from '../process/spawnTree.ts';
import { TextRing } from '../process/textRing.ts';
import type { McpTarget } from './mcpConnection.ts';
import { withoutProbe } from './withoutProbe.ts';
import type { McpFault } from './mcpFault.ts';
import type { Symptoms } from './troubles.ts';

const LOG_BYTES = 64 * 1024;
/** So much of a text is read before it is cut short. */
const maxRead = 32 * 1024;

/** What a connection records so that it can explain a failure. */
export class ConnectionNotes {
  /** Standard error, and what the server printed to standard output besides its messages. */
  readonly log: TextRing;
  readonly #tree: ProcessTree | null;
  readonly #redact: (text: string) => string;
  /**
   * Reported by the transport outside of a request, and thrown by the request that fails because of
   * it.
   */
  fault: McpFault | null = null;
  /**
   * How often the server reported that its list of tools changed. Reports are counted, not answered
   * one by one.
   */
  listChanges = 0;
  /** Whether the server sent any message of the protocol. */
  hasSpoken = false;
  /** The last text on standard output that was no message. */
  lastNoise = '';
  #lastError: Error | null = null;
  #frozen: Symptoms | null = null;

  constructor(tree: ProcessTree | null, { redact = (text) => text }: Pick<McpTarget, 'redact'>) {
    this.#tree = tree;
    this.#redact = redact;
    this.log = tree?.log ?? new TextRing(LOG_BYTES);
  }

  error(error: Error): void {
    if (error.name !== 'AbortError') this.#lastError = error;
  }

  ignored(text: string): void {
    this.#note('ignored', text, 2000);
  }

  /** What the server printed to its standard output besides its messages. */
  noise(text: string): void {
    this.lastNoise = this.#redact(text.slice(0, maxRead));
    this.#note('stdout', text, 4096);
  }

  #note(kind: string, text: string, length: number): void {
    this.log.push(`[${kind}] ${this.#redact(text.slice(0, maxRead)).slice(0, length)}\n`);
  }

  stderrTail(lines = 20): string {
    return this.#tree === null ? '' : this.log.tail({ lines, redact: this.#redact });
  }

  /** The last line of the server's own output; empty if it wrote nothing. */
  lastLine(): string {
    return withoutProbe(this.symptoms().stderrTail).split('\n').at(-1)?.slice(0, 200) ?? '';
  }

  /**
   * Call this before this program ends the server, because its exit says nothing about the server
   * from then on.
   */
  freeze(): void {
    this.#frozen ??= this.symptoms();
  }

  symptoms(): Symptoms {
    return (
      this.#frozen ?? {
        exit: this.#tree?.exit ?? null,
        // The line that names an error comes before its stack.
        stderrTail: this.stderrTail(100),
        lastError: this.#lastError,
      }
    );
  }
}
