import type { ProcessTree } from '../process/spawnTree.ts';
import { TextRing } from '../process/textRing.ts';
import type { Symptoms } from './troubles.ts';

const LOG_BYTES = 64 * 1024;

/** What a connection records so that it can explain a failure. */
export class ConnectionNotes {
  /** Standard error, and what the server printed to standard output besides its messages. */
  readonly log: TextRing;
  readonly #tree: ProcessTree | null;
  /**
   * Reported by the transport outside of a request, and thrown by the request that fails because of
   * it.
   */
  fault: Error | null = null;
  /**
   * How often the server reported that its list of tools changed. Reports are counted, not answered
   * one by one.
   */
  listChanges = 0;
  #lastError: Error | null = null;
  #frozen: Symptoms | null = null;

  constructor(tree: ProcessTree | null) {
    this.#tree = tree;
    this.log = tree?.log ?? new TextRing(LOG_BYTES);
  }

  error(error: Error): void {
    if (error.name !== 'AbortError') this.#lastError = error;
  }

  ignored(text: string): void {
    this.log.push(`[ignored] ${text.slice(0, 2000)}\n`);
  }

  stderrTail(): string {
    return this.#tree === null ? '' : this.log.tail();
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
        stderrTail: this.stderrTail(),
        lastError: this.#lastError,
      }
    );
  }
}
