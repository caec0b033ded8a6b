import { createYielder, type YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { WorkerPool, type ItemOutcome } from '../../adapters/process/workerPool.ts';
import type { TokenItem } from './countItem.ts';
import type { CountedText, CountedTool } from '../../analysis/tokens/toolTokens.ts';
import { besideModule } from '../../runtime/besideModule.ts';

/** A count, or why there is none. */
export type Counted<Result> = { counted: Result } | { reason: string };

export interface TokenCounterOptions {
  /**
   * Texts of up to this many characters in all are counted on the calling thread. The default holds
   * it for at most 60 ms, whatever the texts are. A command sets a higher limit, because it has
   * nothing else to do meanwhile and a thread costs memory.
   */
  maxInlineLength?: number;
  /** Computing time for one text in ms. The default is three times what the worst 25 MB take. */
  cpuLimitMs?: number;
}

const workerEntry = besideModule(import.meta.url, 'tokenWorker');
const defaultMaxInlineLength = 1 << 16;
/** Characters sent to a worker at once, so that a message is copied in a few milliseconds. */
const batchLength = 1 << 21;

/**
 * Counts tokens of foreign texts. A large or hostile text is counted in a worker with a limit of
 * time and memory, so that it holds up neither the program nor the other texts. Must be closed.
 */
export class TokenCounter {
  readonly #maxInlineLength: number;
  readonly #pool: WorkerPool<TokenItem, CountedTool>;

  constructor({
    maxInlineLength = defaultMaxInlineLength,
    cpuLimitMs = 60_000,
  }: TokenCounterOptions = {}) {
    this.#maxInlineLength = maxInlineLength;
    // One thread may be occupied by a large text in the background, so there are two.
    this.#pool = new WorkerPool({
      entry: workerEntry,
      size: 2,
      cpuLimitMs,
      stallLimitMs: 5 * cpuLimitMs,
      resourceLimits: { maxOldGenerationSizeMb: 384 },
    });
  }

  /**
   * Token counts of tools by part, in the order of their texts. A caller that counts many batches
   * gives its own `yieldIfDue`, because one batch alone is never long enough to yield.
   */
  async countTools(
    texts: readonly CountedText[],
    encoding: EncodingName,
    yieldIfDue = createYielder(),
  ): Promise<Counted<CountedTool>[]> {
    return this.#count('listed', texts, encoding, yieldIfDue);
  }

  /** The same for tools as `providerFormats` describes them. */
  async countOffered(
    texts: readonly CountedText[],
    encoding: EncodingName,
  ): Promise<Counted<CountedTool>[]> {
    return this.#count('offered', texts, encoding, createYielder());
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #count(
    kind: TokenItem['kind'],
    texts: readonly CountedText[],
    encoding: EncodingName,
    yieldIfDue: YieldIfDue,
  ): Promise<Counted<CountedTool>[]> {
    const length = texts.reduce((sum, text) => sum + lengthOf(text), 0);
    if (length <= this.#maxInlineLength) return countInline(kind, texts, encoding, yieldIfDue);
    const results: Counted<CountedTool>[] = [];
    for (const batch of batchesOf(texts)) {
      const outcomes = await this.#pool.run(batch.map((text) => ({ kind, text, encoding })));
      results.push(...outcomes.map(resultOf));
    }
    return results;
  }
}

/** The token tables are large, so they are loaded when the first token is counted. */
async function countInline(
  kind: TokenItem['kind'],
  texts: readonly CountedText[],
  encoding: EncodingName,
  yieldIfDue: YieldIfDue,
): Promise<Counted<CountedTool>[]> {
  if (texts.length === 0) return [];
  const { loadEncoding } = await import('../../analysis/tokens/encodings.ts');
  const { countItem } = await import('./countItem.ts');
  await loadEncoding(encoding, yieldIfDue);
  const results: Counted<CountedTool>[] = [];
  for (const text of texts) {
    results.push({ counted: countItem({ kind, text, encoding }) });
    await yieldIfDue();
  }
  return results;
}

const lengthOf = (text: CountedText): number =>
  typeof text === 'string' ? text.length : text.text.length + text.body.length;

function* batchesOf(texts: readonly CountedText[]): Generator<CountedText[]> {
  let [batch, length]: [CountedText[], number] = [[], 0];
  for (const text of texts) {
    if (batch.length > 0 && length + lengthOf(text) > batchLength) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(text);
    length += lengthOf(text);
  }
  if (batch.length > 0) yield batch;
}

function resultOf(outcome: ItemOutcome<CountedTool>): Counted<CountedTool> {
  return outcome.outcome === 'done' ? { counted: outcome.value } : { reason: outcome.reason };
}
