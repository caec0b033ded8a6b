import { encodingNames, type EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { Store } from '../../store/store.ts';
import type { StoredTokens } from '../../store/servers/tokenCounts.ts';
import {
  createYielder,
  yieldToEventLoop,
  type YieldIfDue,
} from '../../runtime/yieldToEventLoop.ts';
import type { Counted, TokenCounter } from './tokenCounter.ts';

type CountStore = Pick<Store, 'tokenCounts' | 'toolSnapshots' | 'transaction' | 'settings'>;

/** Tools that are read from the database and counted together: at most so many, or bytes. */
const maxBatchTools = 100;
const maxBatchBytes = 1 << 20;
const bytesPerMegabyte = 1024 * 1024;

/**
 * Token counts of frozen tools by content hash. Each tool is counted once and stored; in a read-
 * only workspace it is counted every time.
 */
export class TokenCounts {
  readonly #store: CountStore;
  /** Counts texts that are not stored. */
  readonly counter: TokenCounter;
  /** Counts in progress, so that a tool is never counted twice at once. */
  readonly #running = new Map<string, Promise<Counted<StoredTokens>>>();
  /** Why a tool could not be counted, so that it is not tried again until the next start. */
  readonly #failed = new Map<string, string>();
  /** Large tools are counted one after another. */
  #background = Promise.resolve();
  #closed = false;

  constructor(store: CountStore, counter: TokenCounter) {
    this.#store = store;
    this.counter = counter;
  }

  /** The counts of tools that can be counted, after all of them are. */
  async of(hashes: Iterable<string>, encoding: EncodingName): Promise<Map<string, StoredTokens>> {
    const yieldIfDue = createYielder();
    const { known, missing } = await this.#lookUp(hashes, encoding, yieldIfDue);
    await this.#countInBatches(missing, encoding, known, yieldIfDue);
    return known;
  }

  /**
   * The counts that are known or come at once. Large tools are counted in the background: their
   * counts are there later.
   */
  async soon(hashes: Iterable<string>, encoding: EncodingName): Promise<Map<string, StoredTokens>> {
    const yieldIfDue = createYielder();
    const { known, missing } = await this.#lookUp(hashes, encoding, yieldIfDue);
    const small: string[] = [];
    const limit = this.#largeFrom();
    for (const hash of missing) {
      if (this.#store.toolSnapshots.bytes(hash) > limit) this.#countInBackground(hash, encoding);
      else small.push(hash);
      await yieldIfDue();
    }
    await this.#countInBatches(small, encoding, known, yieldIfDue);
    return known;
  }

  /** Adds the counts of tools to `known`, batch by batch. */
  async #countInBatches(
    hashes: readonly string[],
    encoding: EncodingName,
    known: Map<string, StoredTokens>,
    yieldIfDue: YieldIfDue,
  ): Promise<void> {
    for (const part of this.#batchesOf(hashes)) {
      const counted = await Promise.all(this.#countOnce(part, encoding, yieldIfDue));
      counted.forEach((result, index) => {
        if ('counted' in result) known.set(part[index] ?? '', result.counted);
      });
      await yieldIfDue();
    }
  }

  /** Counts newly listed tools ahead of time. */
  async ahead(
    hashes: readonly string[],
    encodings: readonly EncodingName[] = encodingNames,
  ): Promise<void> {
    for (const encoding of encodings) await this.soon(hashes, encoding);
  }

  /** True if the text of a tool is larger than the settings say is counted at once. */
  isLarge(hash: string): boolean {
    return this.isLargeText(this.#store.toolSnapshots.bytes(hash));
  }

  /** The same for a text of so many bytes. */
  isLargeText(bytes: number): boolean {
    return bytes > this.#largeFrom();
  }

  #largeFrom(): number {
    return this.#store.settings.get().maxToolText * bytesPerMegabyte;
  }

  /** Why a tool can't be counted; null where it is counted or no count was tried. */
  problemOf(hash: string, encoding: EncodingName): string | null {
    return this.#failed.get(`${encoding} ${hash}`) ?? null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.counter.close();
    await this.#background;
  }

  async #lookUp(
    hashes: Iterable<string>,
    encoding: EncodingName,
    yieldIfDue: YieldIfDue,
  ): Promise<{ known: Map<string, StoredTokens>; missing: string[] }> {
    const known = new Map<string, StoredTokens>();
    const missing: string[] = [];
    for (const hash of new Set(hashes)) {
      const stored = this.#store.tokenCounts.get(hash, encoding);
      if (stored) known.set(hash, stored);
      else if (this.problemOf(hash, encoding) === null) missing.push(hash);
      await yieldIfDue();
    }
    return { known, missing };
  }

  *#batchesOf(hashes: readonly string[]): Generator<string[]> {
    let [batch, bytes]: [string[], number] = [[], 0];
    for (const hash of hashes) {
      batch.push(hash);
      bytes += this.#store.toolSnapshots.bytes(hash);
      if (batch.length < maxBatchTools && bytes < maxBatchBytes) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  #countInBackground(hash: string, encoding: EncodingName): void {
    if (this.#running.has(`${encoding} ${hash}`)) return;
    const before = this.#background;
    this.#background = before
      .then(async () => {
        // The text of a large tool is read in a turn of its own.
        await yieldToEventLoop();
        if (!this.#closed) await Promise.all(this.#countOnce([hash], encoding, createYielder()));
      })
      .catch(() => undefined);
  }

  #countOnce(
    hashes: readonly string[],
    encoding: EncodingName,
    yieldIfDue: YieldIfDue,
  ): Promise<Counted<StoredTokens>>[] {
    const started = hashes.filter((hash) => !this.#running.has(`${encoding} ${hash}`));
    const counting = this.#count(started, encoding, yieldIfDue);
    for (const [index, hash] of started.entries()) {
      const key = `${encoding} ${hash}`;
      const result = counting.then((all) => all[index] ?? { reason: 'It was not counted.' });
      const end = (): void => void this.#running.delete(key);
      result.then(end, end);
      this.#running.set(key, result);
    }
    return hashes.flatMap((hash) => this.#running.get(`${encoding} ${hash}`) ?? []);
  }

  async #count(
    hashes: readonly string[],
    encoding: EncodingName,
    yieldIfDue: YieldIfDue,
  ): Promise<Counted<StoredTokens>[]> {
    const store = this.#store;
    const texts = hashes.map((hash) => store.toolSnapshots.countedText(hash));
    await yieldIfDue();
    const results = await this.counter.countTools(texts, encoding, yieldIfDue);
    await yieldIfDue();
    try {
      store.transaction(() =>
        results.forEach((result, at) => {
          if ('counted' in result)
            store.tokenCounts.put(hashes[at] ?? '', encoding, result.counted);
        }),
      );
    } catch {
      // The counts are valid even if they could not be stored.
    }
    results.forEach((result, at) => {
      if ('reason' in result) this.#failed.set(`${encoding} ${hashes[at] ?? ''}`, result.reason);
    });
    return results;
  }
}
