import { availableParallelism } from 'node:os';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  AnalysedTool,
  OverlapWeights,
  SimilarityMeasure,
} from '../../../src-shared/domain/similarity.ts';
import { WorkerPool, type ItemOutcome } from '../../adapters/process/workerPool.ts';
import { layOutVectors } from '../../analysis/similarity/denseSpace.ts';
import {
  fullTable,
  maxFullTools,
  pairsOf,
  sparseTable,
  type KeptPairs,
  type PairTable,
} from '../../analysis/similarity/pairTable.ts';
import type { Embedded, PreparedTools } from '../../analysis/similarity/prepare.ts';
import { blockRows, type Target } from '../../analysis/similarity/rowBlock.ts';
import type { SharedRows, SimilarityItem } from './similarityWorker.ts';
import { besideModule } from '../../runtime/besideModule.ts';

/** A finished comparison: prepared tools for exact scores, and the table of all pairs. */
export interface Compared {
  prepared: PreparedTools;
  table: PairTable;
}

/** Embedding vectors, one per tool; empty texts have a zero vector. */
export interface EmbeddedVectors {
  descriptions: readonly Float32Array[];
  fullTexts: readonly Float32Array[] | null;
}

export interface CompareOptions {
  measure: SimilarityMeasure;
  weights: OverlapWeights;
  full: boolean;
  embedded: EmbeddedVectors | null;
  signal: AbortSignal;
  onProgress?: (stage: 'preparing' | 'comparing', done: number, total: number) => void;
  /** With many tools, pairs with a lower score are dropped. */
  floor?: number;
  /** Beyond this number of tools, only pairs above the floor are kept. */
  maxFull?: number;
}

const workerEntry = besideModule(import.meta.url, 'similarityWorker');
const defaultFloor = 0.3;
/** Rows per message: few enough for a smooth progress bar, many enough to make messages cheap. */
const rowsPerBatch = 8 * blockRows;

/**
 * Compares every tool with every other in worker threads. Open it once, use it for many analyses,
 * and close it.
 * First one worker prepares texts and vectors; then blocks of rows are compared in all workers,
 * which write into a shared table. Beyond `maxFull` tools such a table would be too large, and
 * workers return the pairs above the floor instead.
 */
export class SimilarityEngine {
  readonly #threads: number;
  readonly #pool: WorkerPool<SimilarityItem, unknown>;
  #runs = 0;

  constructor(threads = Math.min(8, availableParallelism())) {
    this.#threads = threads;
    this.#pool = new WorkerPool({
      entry: workerEntry,
      size: threads,
      cpuLimitMs: 300_000,
      sharedValues: 1,
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /**
   * Throws the reason of `signal` when aborted, and TROUBLE when vectors have different lengths.
   */
  async compare(tools: readonly AnalysedTool[], options: CompareOptions): Promise<Compared> {
    const {
      measure,
      weights,
      full,
      signal,
      floor = defaultFloor,
      maxFull = maxFullTools,
    } = options;
    options.onProgress?.('preparing', 0, 1);
    const embedded = options.embedded ? this.#layOut(options.embedded) : null;
    const item: SimilarityItem = {
      kind: 'prepare',
      tools: tools.map(({ server, name, description, inputSchema }) => ({
        server,
        name,
        description,
        inputSchema,
      })),
      measure,
      weights,
      full,
      embedded,
    };
    const [outcome] = await this.#pool.run([item], { signal });
    const prepared = valueOf(outcome) as PreparedTools;
    const table =
      tools.length <= maxFull
        ? new Uint32Array(new SharedArrayBuffer(4 * pairsOf(tools.length)))
        : null;
    const keptPairs = await this.#compareRows(
      prepared,
      table ? { kind: 'full', table } : { kind: 'kept', floor },
      options,
    );
    return {
      prepared,
      table: table ? fullTable(table, tools.length) : sparseTable(keptPairs, tools.length, floor),
    };
  }

  async #compareRows(
    prepared: PreparedTools,
    target: Target,
    { signal, onProgress }: CompareOptions,
  ): Promise<KeptPairs[]> {
    const value: SharedRows = { prepared, target };
    const shared = { key: String((this.#runs += 1)), value };
    const batches: number[][] = [];
    for (let first = 0; first < prepared.count; first += rowsPerBatch) {
      const end = Math.min(first + rowsPerBatch, prepared.count);
      batches.push(
        Array.from(
          { length: Math.ceil((end - first) / blockRows) },
          (_, at) => first + at * blockRows,
        ),
      );
    }
    // Each thread gets one batch at a time, so that a cancel does not have to wait for a queue.
    const keptPairs: KeptPairs[] = [];
    let next = 0;
    let done = 0;
    const compareBatches = async (): Promise<void> => {
      for (let blocks = batches[next]; blocks; blocks = batches[next]) {
        next += 1;
        const [outcome] = await this.#pool.run([{ kind: 'rows', blocks }], { signal, shared });
        keptPairs.push(...(valueOf(outcome) as KeptPairs[]));
        onProgress?.('comparing', (done += 1), batches.length);
      }
    };
    await Promise.all(Array.from({ length: this.#threads }, compareBatches));
    return keptPairs;
  }

  #layOut({ descriptions, fullTexts }: EmbeddedVectors): Embedded {
    try {
      // A replaced thread takes a new strip, so a few more than threads are reserved.
      const strips = this.#threads + 4;
      return {
        descriptions: layOutVectors(descriptions, strips),
        fullTexts: fullTexts ? layOutVectors(fullTexts, strips) : null,
      };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ServiceError('TROUBLE', {
        thing: 'The embeddings',
        cause: error.message,
        nextStep: 'Check the embedding model, or compare without one.',
      });
    }
  }
}

function valueOf(outcome: ItemOutcome<unknown> | undefined): unknown {
  if (outcome?.outcome === 'done') return outcome.value;
  throw new Error(`The tools could not be compared: ${outcome?.reason ?? 'there was no answer.'}`);
}
