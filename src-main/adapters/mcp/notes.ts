import type { ProcessTree } from '../process/spawnTree.ts';
import { TextRing } from '../process/textRing.ts';
import type { Symptoms } from './troubles.ts';

const LOG_BYTES = 64 * 1024;

/** What a connection remembers for the day when it has to explain itself. */
export class ConnectionNotes {
  /** The server's standard error, and what stood on its standard output beside the messages. */
  readonly log: TextRing;
  readonly #tree: ProcessTree | null;
  /** Told by the transport out of band; taken by the request that fails because of it. */
  fault: Error | null = null;
  /**
   * How often the server said that its list of tools is another one; counted, never answered one by
   * one.
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
   * To be called before this program itself ends the server: from then on its exit tells nothing
   * about the server.
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
